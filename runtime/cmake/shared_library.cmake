# The shared library `lanewise`: the C interface with everything below it inside, LLVM included, and nothing
# visible but lw_*. Included by runtime/CMakeLists.txt; what it installs is component `sdk`.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

add_library(lanewise SHARED
  c_api/arguments.cpp
  c_api/compile.cpp
  c_api/device.cpp
  c_api/errors.cpp
  c_api/launch.cpp
  c_api/memory.cpp
  c_api/module.cpp
  c_api/streams.cpp
)
add_library(Lanewise::lanewise ALIAS lanewise)
set_target_properties(lanewise PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                      LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/exports.map)
target_compile_definitions(lanewise PRIVATE LANEWISE_BUILDING)
target_compile_features(lanewise INTERFACE cxx_std_20)  # the C++ headers
target_include_directories(lanewise PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(lanewise PRIVATE lanewise_runtime lanewise_options)
# A process that holds another LLVM must never meet ours: its symbols stay inside, and calls within the
# library are bound when it is linked.
target_link_options(lanewise PRIVATE -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/exports.map
                    -Wl,--exclude-libs,ALL -Wl,-Bsymbolic
                    $<$<CONFIG:Release>:-Wl,--strip-debug>) # LLVM's own
if(NOT LANEWISE_SANITIZE)
  target_link_options(lanewise PRIVATE -Wl,-z,defs)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Lanewise)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/LanewiseConfig.cmake.in
                              ${CMAKE_CURRENT_BINARY_DIR}/LanewiseConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/LanewiseConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(TARGETS lanewise EXPORT LanewiseTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT sdk NAMELINK_COMPONENT sdk)
install(DIRECTORY include/lanewise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk)
install(EXPORT LanewiseTargets NAMESPACE Lanewise:: DESTINATION ${package_dir} COMPONENT sdk)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/LanewiseConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/LanewiseConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT sdk)
