/* A made-up game folder: DLLs with the exports that install looks for, and what is in the folder at
 * one time, to compare with another. */
#ifndef RETROPOSE_TESTS_LIVE_GAME_H
#define RETROPOSE_TESTS_LIVE_GAME_H

#include "live/install/install.h"

#include <stdbool.h>
#include <stdint.h>

/* A PE32 DLL that exports these names, `filler` in its code; "NAME=MODULE.Other" forwards. */
void Game_MakeDll(const char *const *names, uint8_t filler, RpBuffer *dll);

/* Empties the folder and puts a pair of originals in it, with an executable and data beside them,
 * and times in the past. The DLLs of ours go to `FOLDER-ours`. */
void Game_Make(const char *folder);
void Game_OursFolder(const char *folder, char path[FILES_PATH_BYTES]);
/* Other DLLs of ours: the next version. */
void Game_MakeOurs(const char *folder, uint8_t filler);

void Game_Write(const char *folder, const char *name, const void *bytes, size_t size);
void Game_WriteText(const char *folder, const char *name, const char *text);
void Game_Read(const char *folder, const char *name, RpBuffer *bytes);
void Game_Remove(const char *folder, const char *name);
bool Game_Has(const char *folder, const char *name);

/* Names, bytes and times of all files, as text, in order of names. */
void Game_Snapshot(const char *folder, RpBuffer *snapshot);
/* Fails with both texts when the folder is not as it was; frees nothing. */
void Game_ExpectSnapshot(const char *folder, const RpBuffer *expected, const char *when);

/* Our DLL as it was built, with the original's digest behind it: what PeWriter does is tested
 * elsewhere. */
extern const InstallBuilder game_builder;
/* For this folder, without a dry run, with the builder above. */
InstallOptions Game_Options(const char *folder, const FileOps *ops);

#endif
