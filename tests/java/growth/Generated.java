package growth;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Lambdas, proxies and threads whose generated names and addresses are others in each process; with
 * a second argument some more of them are made first, so that numbers differ for certain.
 */
public class Generated {
  static final List<Object> KEPT = new ArrayList<>();

  interface Early {}

  interface Service {
    Object call();
  }

  static Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(
        Generated.class.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> null);
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 1) {
      Supplier<String> first = () -> args[1];
      KEPT.add(first);
      KEPT.add(proxy(Early.class));
    }
    Supplier<String> second = () -> args[0];
    KEPT.add(second);
    for (int i = 0; i < 100; i++) {
      KEPT.add(proxy(Service.class));
    }
    ExecutorService pool = Executors.newFixedThreadPool(args.length > 1 ? 3 : 2);
    for (int i = 0; i < 3; i++) {
      pool.submit(() -> {}).get();
    }
    new Dumps(args[0]).next();
    pool.shutdown();
  }
}
