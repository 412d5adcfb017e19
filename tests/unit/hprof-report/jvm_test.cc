// System properties in both layouts of the JDK, what else a heap says of its JVM, and what is
// masked.
#include "staged_heap.h"
#include "tools/hprof-report/jvm/secrets.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::HeapOptions;
using test::Id;
using test::StagedHeap;
using test::StringLayout;
using test::Type;

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::map<std::string, std::string> shown(const Report& report) {
  std::map<std::string, std::string> rows;
  if (report.overview.system_properties) {
    for (const auto& row : *report.overview.system_properties) {
      rows.emplace(row.key, row.value.value_or("(none)"));
    }
  }
  return rows;
}

void add_system(HeapBuilder& builder, Id properties) {
  builder.add_class(
      {.name = "java.lang.System", .statics = {{.name = "props", .value = properties}}});
}

/// java.util.Properties of JDK 8: a Hashtable with chains, and defaults.
class OldProperties {
 public:
  explicit OldProperties(HeapBuilder& builder) : builder_(builder) {
    const Id table = builder.add_class({.name = "java.util.Hashtable", .fields = {{"table"}}});
    class_ = builder.add_class(
        {.name = "java.util.Properties", .super = table, .fields = {{"defaults"}}});
    entry_ = builder.add_class({.name = "java.util.Hashtable$Entry",
                                .fields = {{"hash", Type::int32}, {"key"}, {"value"}, {"next"}}});
  }

  /// All in one chain, with null slots beside it.
  Id add(const Pairs& pairs, Id defaults = 0) {
    Id chain = 0;
    for (const auto& [key, value] : pairs) {
      chain = builder_.add_object(entry_, {{"key", builder_.add_string(key)},
                                           {"value", builder_.add_string(value)},
                                           {"next", chain}});
    }
    const Id array = builder_.add_array("java.util.Hashtable$Entry[]", {0, chain, 0});
    return builder_.add_object(class_, {{"table", array}, {"defaults", defaults}});
  }

 private:
  HeapBuilder& builder_;
  Id class_ = 0;
  Id entry_ = 0;
};

TEST_CASE("properties of JDK 8 are read from the hash table, chains and defaults included") {
  HeapOptions options;
  options.strings = StringLayout::chars;
  HeapBuilder builder(options);
  OldProperties properties(builder);
  const Id defaults = properties.add({{"a", "hidden"}, {"only.default", "2"}});
  const Id main = properties.add({{"java.vm.name", "Test VM"},
                                  {"java.vm.version", "25.5-b02"},
                                  {"java.runtime.version", "1.8.0_05-b13"},
                                  {"java.version", "1.8.0_05"},
                                  {"empty", ""},
                                  {"a", "1"}},
                                 defaults);
  add_system(builder, main);
  const auto report = StagedHeap(builder).report();
  CHECK(shown(report) ==
        std::map<std::string, std::string>{{"a", "1"},
                                           {"empty", ""},
                                           {"java.runtime.version", "1.8.0_05-b13"},
                                           {"java.version", "1.8.0_05"},
                                           {"java.vm.name", "Test VM"},
                                           {"java.vm.version", "25.5-b02"},
                                           {"only.default", "2"}});
  CHECK(report.overview.jvm_version == "java version \"1.8.0_05\"\nTest VM (build 25.5-b02)");
  CHECK(report.overview.jvm->java_version == "1.8.0_05-b13");
  for (const auto& row : *report.overview.system_properties) {
    CHECK(row.is_default.value_or(false) == (row.key == "only.default"));
    CHECK_FALSE(row.masked);
  }
}

TEST_CASE("properties of JDK 9 are read from the map inside, with trees and while it grows") {
  HeapBuilder builder;
  const Id table = builder.add_class({.name = "java.util.Hashtable", .fields = {{"table"}}});
  const Id properties = builder.add_class(
      {.name = "java.util.Properties", .super = table, .fields = {{"defaults"}, {"map"}}});
  const std::string name = "java.util.concurrent.ConcurrentHashMap";
  const Id map = builder.add_class(
      {.name = name, .fields = {{"table"}}, .statics = {{"NCPU", Type::int32, 6}}});
  const Id node = builder.add_class(
      {.name = name + "$Node", .fields = {{"hash", Type::int32}, {"key"}, {"val"}, {"next"}}});
  const Id tree_bin = builder.add_class(
      {.name = name + "$TreeBin", .super = node, .fields = {{"root"}, {"first"}}});
  const Id forwarding = builder.add_class(
      {.name = name + "$ForwardingNode", .super = node, .fields = {{"nextTable"}}});
  const auto pair = [&](const char* key, const char* value, Id next) {
    return builder.add_object(
        node,
        {{"key", builder.add_string(key)}, {"val", builder.add_string(value)}, {"next", next}});
  };
  const Id tree = builder.add_object(tree_bin, {{"first", pair("t1", "x", pair("t2", "y", 0))}});
  const Id moved = builder.add_array(name + "$Node[]", {0, pair("moved", "z", 0)});
  const Id forward = builder.add_object(forwarding, {{"nextTable", moved}});
  const Id no_string = builder.add_object(
      node, {{"key", builder.add_string("no.string")}, {"val", builder.add_object(map)}});
  // Strings whose array the dump lacks, as that of some class data archives.
  const Id lost = builder.add_object(
      node, {{"key", builder.add_string_over(0)}, {"val", builder.add_string("v")}});
  const Id keyless = builder.add_object(node, {{"val", builder.add_string("w")}});
  const Id dangling = builder.add_object(node, {{"key", builder.reserve()}});
  const Id valueless = builder.add_object(
      node, {{"key", builder.add_string("lost")}, {"val", builder.add_string_over(0)}});
  const Id nodes =
      builder.add_array(name + "$Node[]", {forward, tree, 0, pair("plain", "p", 0), no_string,
                                           forward, lost, dangling, keyless, valueless});
  const Id inner = builder.add_object(map, {{"table", nodes}});
  add_system(builder, builder.add_object(properties, {{"map", inner}}));
  const auto report = StagedHeap(builder).report();
  CHECK(shown(report) == std::map<std::string, std::string>{{"t1", "x"},
                                                            {"t2", "y"},
                                                            {"moved", "z"},
                                                            {"plain", "p"},
                                                            {"no.string", "(none)"},
                                                            {"lost", "(none)"}});
  CHECK(report.overview.unnamed_properties == 3);
  REQUIRE(report.overview.jvm);
  CHECK(report.overview.jvm->processors == 6);
  CHECK_FALSE(report.overview.jvm_version);
}

TEST_CASE("a chain that bites its tail ends") {
  HeapBuilder builder;
  const Id table = builder.add_class({.name = "java.util.Hashtable", .fields = {{"table"}}});
  const Id properties =
      builder.add_class({.name = "java.util.Properties", .super = table, .fields = {{"defaults"}}});
  const Id entry = builder.add_class(
      {.name = "java.util.Hashtable$Entry", .fields = {{"key"}, {"value"}, {"next"}}});
  const Id self = builder.reserve();
  builder.add_object(
      entry, {{"key", builder.add_string("k")}, {"value", builder.add_string("v")}, {"next", self}},
      self);
  const Id object = builder.reserve();
  builder.add_object(properties,
                     {{"table", builder.add_array("java.util.Hashtable$Entry[]", {self, self})},
                      {"defaults", object}},
                     object);
  add_system(builder, object);
  CHECK(shown(StagedHeap(builder).report()) == std::map<std::string, std::string>{{"k", "v"}});
}

TEST_CASE("secrets are masked unless they are asked for") {
  HeapBuilder builder;
  OldProperties properties(builder);
  add_system(builder, properties.add({{"db.password", "hunter2"},
                                      {"db.url", "jdbc:x://bob:pw@host/db"},
                                      {"javax.net.ssl.keyStore", "/etc/store.jks"},
                                      {"sun.java.command", "app.Main --token abc serve"}}));
  const StagedHeap heap(builder);
  const auto report = heap.report();
  CHECK(shown(report) ==
        std::map<std::string, std::string>{{"db.password", "***"},
                                           {"db.url", "jdbc:x://***@host/db"},
                                           {"javax.net.ssl.keyStore", "/etc/store.jks"},
                                           {"sun.java.command", "app.Main --token *** serve"}});
  CHECK(report.overview.jvm->command == "app.Main --token *** serve");
  std::size_t masked = 0;
  for (const auto& row : *report.overview.system_properties) {
    masked += row.masked ? 1 : 0;
  }
  CHECK(masked == 3);
  const auto open = heap.report({"--show-secrets"});
  CHECK(shown(open).at("db.password") == "hunter2");
  CHECK(open.overview.jvm->command == "app.Main --token abc serve");
}

TEST_CASE("what the management beans hold is told, and nothing where there are none") {
  HeapBuilder bare;
  CHECK_FALSE(StagedHeap(bare).report().overview.jvm);

  HeapBuilder builder;
  const Id bean = builder.add_class(
      {.name = "sun.management.RuntimeImpl", .fields = {{"vmStartupTime", Type::int64}}});
  const Id vm =
      builder.add_class({.name = "sun.management.VMManagementImpl", .fields = {{"vmArgs"}}});
  const Id list =
      builder.add_class({.name = "java.util.Collections$UnmodifiableList", .fields = {{"list"}}});
  const Id inner = builder.add_class({.name = "java.util.Arrays$ArrayList", .fields = {{"a"}}});
  const Id manager =
      builder.add_class({.name = "sun.management.MemoryManagerImpl", .fields = {{"name"}}});
  const Id collector =
      builder.add_class({.name = "sun.management.GarbageCollectorImpl", .super = manager});
  const Id process =
      builder.add_class({.name = "java.lang.ProcessHandleImpl$Handle",
                         .fields = {{"pid", Type::int64}, {"startTime", Type::int64}}});
  const Id arguments = builder.add_array(
      "java.lang.Object[]", {builder.add_string("-Xmx1g"), builder.add_string("-Dkey=abc")});
  const Id wrapped =
      builder.add_object(list, {{"list", builder.add_object(inner, {{"a", arguments}})}});
  const Id managers =
      builder.add_array("java.lang.Object[]",
                        {builder.add_object(manager, {{"name", builder.add_string("CodeCache")}}),
                         builder.add_object(collector, {{"name", builder.add_string("G1 Young")}}),
                         builder.add_object(collector, {{"name", builder.add_string("G1 Old")}})});
  builder.add_class(
      {.name = "sun.management.ManagementFactoryHelper",
       .statics = {
           {.name = "runtimeMBean", .value = builder.add_object(bean, {{"vmStartupTime", 1000}})},
           {.name = "jvm", .value = builder.add_object(vm, {{"vmArgs", wrapped}})}}});
  builder.add_class(
      {.name = "sun.management.MemoryImpl", .statics = {{.name = "mgrs", .value = managers}}});
  builder.add_class(
      {.name = "java.lang.ProcessHandleImpl",
       .statics = {{.name = "current",
                    .value = builder.add_object(process, {{"pid", 77}, {"startTime", 900}})}}});
  builder.add_class(
      {.name = "java.lang.VersionProps",
       .statics = {{.name = "java_runtime_version", .value = builder.add_string("17.0.15+6")},
                   {.name = "java_runtime_name",
                    .value = builder.add_string("OpenJDK Runtime Environment")}}});
  builder.add_class(
      {.name = "jdk.internal.misc.VM", .statics = {{"directMemory", Type::int64, 4096}}});
  const auto overview = StagedHeap(builder).report().overview;
  REQUIRE(overview.jvm);
  CHECK(overview.jvm_version == "OpenJDK Runtime Environment (17.0.15+6)");
  CHECK(overview.jvm->arguments == std::vector<std::string>{"-Xmx1g", "-Dkey=***"});
  CHECK(overview.jvm->collectors == std::vector<std::string>{"G1 Young", "G1 Old"});
  CHECK(overview.jvm->started_ms == 1000);
  CHECK(overview.jvm->uptime_ms == overview.dump_creation_ms - 1000);
  CHECK(overview.jvm->process_id == 77);
  CHECK(overview.jvm->max_direct_memory == 4096);
  CHECK_FALSE(overview.system_properties);
}

TEST_CASE("names of secrets are told from names that only look like one") {
  for (const auto* name : {"password",
                           "db.PASSWORD",
                           "javax.net.ssl.keyStorePassword",
                           "javax.net.ssl.trustStorePassword",
                           "my.secret",
                           "client_secret",
                           "clientSecret",
                           "AWS_SECRET_ACCESS_KEY",
                           "aws.accessKeyId",
                           "api.key",
                           "api-key",
                           "apikey",
                           "API_KEY",
                           "authToken",
                           "token",
                           "sessiontokens",
                           "java.naming.security.credentials",
                           "http.proxyPassword",
                           "encryptionKey",
                           "privateKey",
                           "ssh.passphrase",
                           "db.pass",
                           "db.pwd",
                           "jdbc.pwd.x",
                           "my_pwd_val",
                           "userpwd",
                           "PGPWD",
                           "userPass.x",
                           "ldap.pass.",
                           "dbpass",
                           "keypass",
                           "pass",
                           "pass2",
                           "db.passwd1",
                           "db-pass-1",
                           "dbPassWord",
                           "token2",
                           "key1",
                           "login.passcode",
                           "oauth.passKey",
                           "card.pin",
                           "keyStorePIN2",
                           "db.pw",
                           "http.auth",
                           "proxy-authorization",
                           "subject.creds",
                           "session.cookie",
                           "my.jwt",
                           "keys",
                           "key"}) {
    CHECK_MESSAGE(names_secret(name), name);
  }
  for (const auto* name : {"javax.net.ssl.keyStore",
                           "javax.net.ssl.keyStoreType",
                           "ssl.key.path",
                           "key.file",
                           "jdk.tls.keyLimits",
                           "jdk.security.defaultKeySize",
                           "java.vm.specification.version",
                           "java.awt.keyboard",
                           "monkey.business",
                           "keyword.list",
                           "user.name",
                           "tokenizer.class",
                           "hotkey",
                           "java.security.auth.login.config",
                           "compass",
                           "bypass.proxy",
                           "encompass",
                           "compass2",
                           "first.pass.count",
                           "passThrough",
                           "passenger",
                           "passive",
                           "passport.file",
                           "path.separator",
                           "user.keyboard",
                           "key.serializer",
                           "key-separator",
                           "keyspace",
                           "author",
                           "document.authority",
                           "authenticated",
                           "java.class.path",
                           "sun.boot.class.path",
                           "java.protocol.handler.pkgs",
                           "javax.security.auth.useSubjectCredsOnly",
                           "cookie.path",
                           "spinner",
                           "power",
                           "user.dir",
                           "java.io.tmpdir",
                           "passes",
                           "",
                           "keystore",
                           "keystore.path",
                           "sun.java.command",
                           "..",
                           "hash.key.algorithm"}) {
    CHECK_MESSAGE(!names_secret(name), name);
  }
}

TEST_CASE("secrets inside values are hidden, and nothing else") {
  const auto masked = [](std::string_view value) { return mask_secrets("x", value).text; };
  CHECK(masked("https://u:p@host:8080/a?b=c") == "https://***@host:8080/a?b=c");
  CHECK(masked("amqp://a:1@h1,amqp://b:2@h2") == "amqp://***@h1,amqp://***@h2");
  CHECK(masked("ftp://user@host") == "ftp://***@host");
  CHECK(masked("http://p:a@b@host") == "http://***@host");
  CHECK(masked("http://host/mail@here") == "http://host/mail@here");
  CHECK(masked("jdbc:mysql://h/db?user=u&password=p&x=1") ==
        "jdbc:mysql://h/db?user=u&password=***&x=1");
  CHECK(masked("jdbc:sqlserver://h;user=u;password=p;") ==
        "jdbc:sqlserver://h;user=u;password=***;");
  CHECK(masked("-Dmy.password=a -Dx=b") == "-Dmy.password=*** -Dx=b");
  CHECK(masked("-Dpassword='a b' c") == "-Dpassword='***' c");
  CHECK(masked("Main --api-key k run") == "Main --api-key *** run");
  CHECK(masked("{\"password\": \"p\", \"a\": 1}") == "{\"password\": \"***\", \"a\": 1}");
  CHECK(masked("Main --password foo run") == "Main --password *** run");
  CHECK(masked("Main --password=a;b,c&d run") == "Main --password=*** run");
  CHECK(masked("-storepass changeit -v") == "-storepass *** -v");
  CHECK(masked("app.Main -Dx.password=p@ss db.pwd=q;x=1") ==
        "app.Main -Dx.password=*** db.pwd=***;x=1");
  CHECK(masked("-javaagent:a.jar=token=t,x=1") == "-javaagent:a.jar=token=***,x=1");
  CHECK(masked("password: p, user: u") == "password: ***, user: u");
  CHECK(masked("curl -H Authorization: Bearer abc -v") == "curl -H Authorization: Bearer *** -v");
  CHECK(masked("-Dheaders=Authorization=Basic abc x") == "-Dheaders=Authorization=Basic *** x");
  CHECK(masked("jdbc:oracle:thin:scott/tiger@//h:1521/x") == "jdbc:oracle:thin:***@//h:1521/x");
  CHECK(masked("mongodb+srv://u:p@h/db") == "mongodb+srv://***@h/db");
  for (const auto* plain : {"/opt/secret:/usr/lib", "C:\\Users\\me", "a=b", "password",
                            "jdbc:oracle:thin:@h:1521:x", "jdbc:oracle:", "-Dpath.key.file=/k",
                            "--password", "", "://", "@", "key store=x", "http://", "token="}) {
    CHECK(masked(plain) == plain);
    CHECK_FALSE(mask_secrets("x", plain).masked);
  }
  CHECK(mask_secrets("password", "").text.empty());
  CHECK_FALSE(mask_secrets("password", "").masked);
}

TEST_CASE("an argument of the JVM that sets a secret is hidden to its end") {
  CHECK(mask_argument("-Dx.password=a b;c") == "-Dx.password=***");
  CHECK(mask_argument("-Durl=http://u:p@h") == "-Durl=http://***@h");
  CHECK(mask_argument("-Dpassword=") == "-Dpassword=");
  CHECK(mask_argument("-Dpassword") == "-Dpassword");
  CHECK(mask_argument("-Dkey.file=/a b") == "-Dkey.file=/a b");
  CHECK(mask_argument("-javaagent:a.jar=secret=s") == "-javaagent:a.jar=secret=***");
  CHECK(mask_argument("") == "");
}

}  // namespace
}  // namespace hprof
