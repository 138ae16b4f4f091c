# Programs and libraries that are the same bytes in whatever folder, at whatever time and by whomever
# they were built (scripts/release; a test builds them twice and compares).
include(Dependencies)

# No folder of the build machine is named: neither in texts (__FILE__) nor in debug data.
target_compile_options(retropose_flags INTERFACE
    -ffile-prefix-map=${RETROPOSE_DEPS}=/usr/src/retropose/build/deps
    -ffile-prefix-map=${retropose_SOURCE_DIR}=/usr/src/retropose)

# Debug data that was moved into a file of its own is found by the build's id. What was linked in is
# in a list, out of which packaging/sbom makes the bill of materials.
target_link_options(retropose_flags INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:RETROPOSE_WITHOUT_DEBUG>>>:-Wl,--build-id=sha1>
    -Wl,-Map=$<TARGET_PROPERTY:NAME>.map)
if(MINGW) # which else writes the time of the build into each file
    target_link_options(retropose_flags INTERFACE -Wl,--no-insert-timestamp)
endif()
