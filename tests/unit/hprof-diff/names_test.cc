#include "tools/hprof-report/joined_names.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

TEST_CASE("what a JVM makes up anew in each process is taken out of class names") {
  CHECK(joined_class_name("a.B$$Lambda$14/0x0000000800c03000") == "a.B$$Lambda/*");
  CHECK(joined_class_name("a.B$$Lambda/0x00007f1c") == "a.B$$Lambda/*");
  CHECK(joined_class_name("a.B$$Lambda+0x0000000094043000") == "a.B$$Lambda/*");
  CHECK(joined_class_name("a.B$$Lambda$14.0x0000000800c03000") == "a.B$$Lambda/*");
  CHECK(joined_class_name("a.B$$Lambda$14") == "a.B$$Lambda/*");
  CHECK(joined_class_name("a.B$$Lambda$14/1509514333") == "a.B$$Lambda/*");
  CHECK(joined_class_name("a.Hidden/0x0000000800c03000") == "a.Hidden/*");
  CHECK(joined_class_name("java.lang.invoke.LambdaForm$DMH/0x0000000800c00400") ==
        "java.lang.invoke.LambdaForm$DMH/*");
  CHECK(joined_class_name("java.lang.invoke.LambdaForm$MH/1828972342") ==
        "java.lang.invoke.LambdaForm$MH/*");
  CHECK(joined_class_name("a.B$$Lambda$14/0x0000000800c03000[][]") == "a.B$$Lambda/*[][]");
}

TEST_CASE("proxies and accessors lose their numbers") {
  CHECK(joined_class_name("$Proxy12") == "$Proxy*");
  CHECK(joined_class_name("com.sun.proxy.$Proxy12") == "com.sun.proxy.$Proxy*");
  CHECK(joined_class_name("jdk.proxy2.$Proxy7") == "jdk.proxy*.$Proxy*");
  CHECK(joined_class_name("sun.reflect.GeneratedMethodAccessor7") ==
        "sun.reflect.GeneratedMethodAccessor*");
  CHECK(joined_class_name("jdk.internal.reflect.GeneratedConstructorAccessor123") ==
        "jdk.internal.reflect.GeneratedConstructorAccessor*");
  CHECK(joined_class_name("jdk.internal.reflect.GeneratedSerializationConstructorAccessor1") ==
        "jdk.internal.reflect.GeneratedSerializationConstructorAccessor*");
}

TEST_CASE("classes that libraries make at run time lose their random parts") {
  CHECK(joined_class_name("a.B$$EnhancerByCGLIB$$1a2b3c4d") == "a.B$$EnhancerByCGLIB$$*");
  CHECK(joined_class_name("a.B$$EnhancerBySpringCGLIB$$9F8e") == "a.B$$EnhancerBySpringCGLIB$$*");
  CHECK(joined_class_name("a.B$$FastClassByGuice$$77") == "a.B$$FastClassByGuice$$*");
  CHECK(joined_class_name("a.B$$SpringCGLIB$$0") == "a.B$$SpringCGLIB$$*");
  CHECK(joined_class_name("a.B$ByteBuddy$aBcD1234") == "a.B$ByteBuddy$*");
  CHECK(joined_class_name("a.B$MockitoMock$1093829812") == "a.B$MockitoMock$*");
  CHECK(joined_class_name("a.B$HibernateProxy$kX0aPq1z") == "a.B$HibernateProxy$*");
  CHECK(joined_class_name("a.B_$$_jvst3e2_1f") == "a.B_$$_jvst*");
  CHECK(joined_class_name("Script17") == "Script*");
}

TEST_CASE("names that programmers gave stay as they are") {
  for (const char* name :
       {"a.B", "a.B$1", "a.B$2$C", "int[]", "java.util.HashMap$Node[]", "a.Utf8", "a.Proxy12",
        "org.v2.Api3", "a.MyScript1", "Lambda", "a.B$$c", "/", "", "[]", "0x12", "a.ByteBuddy",
        "$ByteBuddy$x", "java.lang.invoke.BoundMethodHandle$Species_LLI",
        "<system class loader>"}) {
    CHECK(joined_class_name(name) == name);
  }
}

TEST_CASE("a name of 70,000 characters is no harm") {
  const std::string deep = std::string(70'000, '$') + "1";
  CHECK(joined_class_name(deep).size() <= deep.size());
  CHECK(joined_thread_name(std::string(70'000, '1')) == std::string(70'000, '1'));
}

TEST_CASE("threads of a pool have one name, ports and addresses stay") {
  CHECK(joined_thread_name("pool-3-thread-17") == "pool-*-thread-*");
  CHECK(joined_thread_name("ForkJoinPool-1-worker-3") == "ForkJoinPool-*-worker-*");
  CHECK(joined_thread_name("ForkJoinPool.commonPool-worker-3") ==
        "ForkJoinPool.commonPool-worker-*");
  CHECK(joined_thread_name("http-nio-8080-exec-12") == "http-nio-8080-exec-*");
  CHECK(joined_thread_name("nioEventLoopGroup-2-1") == "nioEventLoopGroup-*-*");
  CHECK(joined_thread_name("Thread-12") == "Thread-*");
  CHECK(joined_thread_name("GC Thread#3") == "GC Thread#*");
  CHECK(joined_thread_name("RMI TCP Connection(12)-127.0.0.1") ==
        "RMI TCP Connection(*)-127.0.0.1");
  CHECK(joined_thread_name("listener 10.0.0.7:8443") == "listener 10.0.0.7:8443");
  CHECK(joined_thread_name("main") == "main");
  CHECK(joined_thread_name("") == "");
  CHECK(joined_thread_name("7") == "7");
}

TEST_CASE("labels lose their address") {
  CHECK(without_address("a.Loader @ 0x7f00") == "a.Loader");
  CHECK(without_address("java.lang.Thread @ 0xe058e7d8 worker") == "java.lang.Thread worker");
  CHECK(without_address("a @ b") == "a @ b");
  CHECK(joined_label("class a.B$$Lambda$1/0x10 @ 0x7f00", false) == "class a.B$$Lambda/*");
  CHECK(joined_label("class a.B$$Lambda$1/0x10 @ 0x7f00", true) == "class a.B$$Lambda$1/0x10");
  CHECK(joined_object("int[17] @ 0x7f00", "int[]", false) == "int[]");
}

TEST_CASE("classes belong to packages, arrays to that of their elements") {
  CHECK(package_of("a.b.C") == "a.b");
  CHECK(package_of("a.b.C[][]") == "a.b");
  CHECK(package_of("a.b.C$$Lambda/*") == "a.b");
  CHECK(package_of("C") == "(default package)");
  CHECK(package_of("byte[]") == "(primitive arrays)");
}

PathStep step(Via via, const std::string& reference, const std::string& declared_by,
              const std::string& class_name) {
  PathStep out;
  out.via = via;
  out.reference = reference;
  out.declared_by = declared_by;
  out.class_name = class_name;
  out.label = class_name + " @ 0x10";
  return out;
}

PathStep root(const std::string& class_name, const std::string& label) {
  PathStep out = step(Via::root, "", "", class_name);
  out.label = label;
  return out;
}

std::vector<PathStep> map_path(const std::string& index, unsigned links) {
  std::vector<PathStep> steps{
      root("java.lang.Class", "class a.Cache @ 0x1"),
      step(Via::static_field, "MAP", "a.Cache", "java.util.HashMap"),
      step(Via::field, "table", "java.util.HashMap", "java.util.HashMap$Node[]"),
      step(Via::element, "[" + index + "]", "", "java.util.HashMap$Node")};
  for (unsigned i = 0; i < links; ++i) {
    steps.push_back(step(Via::field, "next", "java.util.HashMap$Node", "java.util.HashMap$Node"));
  }
  steps.push_back(step(Via::field, "value", "java.util.HashMap$Node", "byte[]"));
  return steps;
}

TEST_CASE("an object at another place of the same map has the same path") {
  const std::string path = joined_path(map_path("3", 0), false);
  CHECK(
      path ==
      "class a.Cache.MAP → java.util.HashMap.table → [*] → java.util.HashMap$Node.value → byte[]");
  CHECK(joined_path(map_path("14", 0), false) == path);
  CHECK(joined_path(map_path("3", 5), false) == path);
}

TEST_CASE("a local is recognised although its method is at another line") {
  const auto path = [](const char* line, const char* name) {
    std::vector<PathStep> steps{
        root("java.lang.Thread", std::string("java.lang.Thread @ 0x1 ") + name),
        step(Via::local, "<Java Local>", "", "a.B")};
    steps[1].frame = std::string("a.B.run(B.java:") + line + ")";
    return joined_path(steps, false);
  };
  CHECK(path("12", "worker-1") == "java.lang.Thread worker-* → <Java Local> a.B.run(B.java) → a.B");
  CHECK(path("12", "worker-1") == path("99", "worker-2"));
  CHECK(path("12", "worker-1") != path("12", "other"));
}

TEST_CASE("a path of no steps is nothing") {
  CHECK(joined_path({}, false).empty());
}

}  // namespace
}  // namespace hprof
