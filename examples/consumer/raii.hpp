/* What a program in C++17 puts around the library: its errors as exceptions, and owners that free
 * what it hands out. The library itself throws nothing. Copy this file, or use your own.
 */
#ifndef RAII_HPP
#define RAII_HPP

#include <retropose/error.h>

#include <memory>
#include <stdexcept>
#include <string>

class Failure : public std::runtime_error {
  public:
    explicit Failure(const RpError &error) : std::runtime_error(Text(error)) {
    }

  private:
    static std::string Text(const RpError &error) {
        char text[640];
        RpError_Format(&error, text, sizeof text);
        return text;
    }
};

/* Of a function that gets the error as its last argument:
 *
 *   Require([&](RpError *error) { return RpFile_Read(path, &buffer, error); });
 */
template <typename Function> void Require(Function &&function) {
    RpError error;
    if (function(&error) != RP_OK)
        throw Failure(error);
}

/* A structure of the caller's, of which the library frees what is in it: RpBuffer, RpModelPose. */
template <typename Owned, void (*Release)(Owned *)> class Handle : public Owned {
  public:
    Handle() : Owned() {
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle() {
        Release(this);
    }
};

/* An object of the library's, of which the caller has a pointer: RpModel, RpTrace. */
template <auto Release> struct Releaser {
    template <typename Owned> void operator()(Owned *owned) const {
        Release(owned);
    }
};
template <typename Owned, auto Release> using Pointer = std::unique_ptr<Owned, Releaser<Release>>;

#endif
