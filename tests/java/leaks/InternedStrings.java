package leaks;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Every token of the input is interned in a pool that nobody empties. */
public class InternedStrings {
  static final class Tokens {
    private static final Map<String, String> POOL = new ConcurrentHashMap<>();

    static String intern(String token) {
      String known = POOL.putIfAbsent(token.intern(), token);
      return known != null ? known : token;
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 200_000; i++) {
      Tokens.intern("a token of the input, which is read from line " + i + " of many");
    }
    HeapDump.write(args[0]);
  }
}
