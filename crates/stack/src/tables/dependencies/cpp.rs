//! C and C++ packages, as CMake, vcpkg and Conan spell them.

use crate::tables::TechKind::{Cache, Database, Framework, Library, Platform, Testing, Tool};
use crate::tables::TechRow as Row;

pub(super) const ROWS: &[Row] = &[
    Row("boost*", Library, "Boost"),
    Row("qt5", Framework, "Qt"),
    Row("qt6", Framework, "Qt"),
    Row("qt", Framework, "Qt"),
    Row("qtbase", Framework, "Qt"),
    Row("opencv*", Library, "OpenCV"),
    Row("eigen3", Library, "Eigen"),
    Row("eigen", Library, "Eigen"),
    Row("fmt", Library, "fmt"),
    Row("spdlog", Library, "spdlog"),
    Row("nlohmann_json", Library, "JSON for Modern C++"),
    Row("nlohmann-json", Library, "JSON for Modern C++"),
    Row("openssl", Library, "OpenSSL"),
    Row("zlib", Library, "zlib"),
    Row("curl", Library, "curl"),
    Row("protobuf", Tool, "Protocol Buffers"),
    Row("grpc", Library, "gRPC"),
    Row("sdl2", Library, "SDL"),
    Row("sdl3", Library, "SDL"),
    Row("glfw3", Library, "GLFW"),
    Row("vulkan", Library, "Vulkan"),
    Row("cudatoolkit", Platform, "CUDA"),
    Row("cuda", Platform, "CUDA"),
    Row("sqlite3", Database, "SQLite"),
    Row("postgresql", Database, "PostgreSQL"),
    Row("libpq", Database, "PostgreSQL"),
    Row("hiredis", Cache, "Redis"),
    Row("gtest", Testing, "GoogleTest"),
    Row("googletest", Testing, "GoogleTest"),
    Row("catch2", Testing, "Catch2"),
    Row("doctest", Testing, "doctest"),
    Row("benchmark", Testing, "Google Benchmark"),
];
