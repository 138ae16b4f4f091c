add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(MINGW) # its isfinite() and isinf() trip over this; the other compilers see the same sources
    add_compile_options(-Wno-float-conversion)
endif()
if(RETROPOSE_SANITIZE)
    add_compile_options(-fsanitize=${RETROPOSE_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${RETROPOSE_SANITIZE})
endif()
if(RETROPOSE_COVERAGE)
    add_compile_options(--coverage -O0 -fprofile-update=atomic) # replay runs in threads
    add_link_options(--coverage)
endif()
foreach(convention IN LISTS RETROPOSE_CONVENTIONS)
    add_compile_definitions(${convention})
endforeach()
