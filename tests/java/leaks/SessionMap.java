package leaks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions of a server that only a local variable of its main thread holds; none ever expires. */
public class SessionMap {
  static final class Session {
    final String user;
    final List<String> visited = new ArrayList<>();
    final byte[] attributes = HeapDump.payload(3_000);

    Session(String user) {
      this.user = user;
      visited.add("/start");
    }
  }

  static final class SessionManager {
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    void login(String user) {
      sessions.put("session-of-" + user, new Session(user));
    }

    int open() {
      return sessions.size();
    }
  }

  public static void main(String[] args) throws Exception {
    SessionManager manager = new SessionManager();
    for (int i = 0; i < 10_000; i++) {
      manager.login("user-" + i);
    }
    HeapDump.write(args[0]);
    if (manager.open() != 10_000) {
      throw new AssertionError();
    }
  }
}
