/* Tests when a capture is evidence. No trace of ours can be, since nothing here has a published sum
 * (tests/peers/fparkan.py has the traces that are not evidence). */
#include "exports/published.h"
#include "replay/capture/fparkan.h"
#include "tests/test.h"

#include <stddef.h>
#include <string.h>

#define SOME "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static FparkanOptions OptionsOfGame(void) {
    FparkanOptions options = {.game_part = "part1", .mission = "", .tool = ""};
    strcpy(options.sha256[FPARKAN_WORLD3D],
           "17e4a3089b2583a8cf2356c9db0390b1aba138356a09130d79b4e7e4791da61e");
    strcpy(options.sha256[FPARKAN_TERRAIN],
           "6d3e68f0e15b297f6c184af3113baf1f31e19c3326c18f0150dec659242ed667");
    strcpy(options.sha256[FPARKAN_EFFECT], SOME);
    return options;
}

static FparkanCapture CaptureOfGame(const FparkanOptions *options) {
    return (FparkanCapture){.options = options,
                            .provider = "original",
                            .ngi32 = PUBLISHED_NGI32_SHA256,
                            .animesh = SOME};
}

TEST(AnOriginalOfThePublishedBuildsIsEvidence) {
    FparkanOptions options = OptionsOfGame();
    const FparkanCapture capture = CaptureOfGame(&options);
    assert_null(FparkanCapture_WhyInformational(&capture));
    strcpy(options.sha256[FPARKAN_TERRAIN], /* the sum of GOG's file */
           "af87d1b2e728a0be73c52be3b44cc196ab46da7799f25a15d40f8c9b0b425ead");
    assert_null(FparkanCapture_WhyInformational(&capture));
}

TEST(AnythingLessIsInformational) {
    FparkanOptions options = OptionsOfGame();
    FparkanCapture capture = CaptureOfGame(&options);
    strcpy(capture.provider, "stand-in");
    assert_string_equal(FparkanCapture_WhyInformational(&capture), "no original answered");
    capture = CaptureOfGame(&options);
    strcpy(capture.ngi32, SOME);
    assert_string_equal(FparkanCapture_WhyInformational(&capture),
                        "Ngi32.dll is not the published build");
    capture = CaptureOfGame(&options);
    capture.animesh[0] = 0;
    assert_string_equal(FparkanCapture_WhyInformational(&capture),
                        "the trace has no SHA-256 of AniMesh.dll");
    capture = CaptureOfGame(&options);
    options.sha256[FPARKAN_EFFECT][0] = 0;
    assert_string_equal(FparkanCapture_WhyInformational(&capture), "not all modules were hashed");
    options = OptionsOfGame();
    strcpy(options.sha256[FPARKAN_WORLD3D], SOME);
    assert_string_equal(FparkanCapture_WhyInformational(&capture),
                        "World3D.dll is not the published build");
    options = OptionsOfGame();
    strcpy(options.sha256[FPARKAN_TERRAIN], SOME);
    assert_string_equal(FparkanCapture_WhyInformational(&capture),
                        "Terrain.dll is not a published build");
}
