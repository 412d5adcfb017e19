package leaks;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** A plug-in is loaded anew at each deployment, but the shutdown hooks of the earlier ones stay. */
public class ClassLoaders {
  /** What the host keeps of each plug-in. */
  static final class ShutdownHooks {
    static final List<Runnable> HOOKS = new ArrayList<>();
  }

  public static final class Plugin implements Runnable {
    static final byte[] RESOURCES = new byte[1_000_000];

    @Override
    public void run() {
      RESOURCES[1]++;
    }
  }

  /** Defines the plug-in's classes itself, and asks its parent for all others. */
  static final class PluginLoader extends ClassLoader {
    PluginLoader() {
      super(PluginLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("leaks.ClassLoaders$Plugin") || name.equals(getClass().getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : defineAnew(name);
    }

    private Class<?> defineAnew(String name) throws ClassNotFoundException {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] code = in.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException failed) {
        throw new ClassNotFoundException(name, failed);
      }
    }
  }

  static void deploy() throws Exception {
    Class<?> plugin = new PluginLoader().loadClass("leaks.ClassLoaders$Plugin");
    Runnable hook = (Runnable) plugin.getConstructor().newInstance();
    hook.run();
    ShutdownHooks.HOOKS.add(hook);
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 30; i++) {
      deploy();
    }
    HeapDump.write(args[0]);
  }
}
