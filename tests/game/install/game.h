/* A made-up game folder: DLLs with the exports that install looks for, and snapshots of the folder
 * to compare with each other. */
#ifndef RETROPOSE_TESTS_GAME_INSTALL_GAME_H
#define RETROPOSE_TESTS_GAME_INSTALL_GAME_H

#include "game/install/install.h"

#include <stdbool.h>
#include <stdint.h>

/* Makes a PE32 DLL that exports these names and has `filler` in its code. "NAME=MODULE.Other"
 * forwards. */
void Game_MakeDll(const char *const *names, uint8_t filler, RpBuffer *dll);

/* Empties the folder and puts a pair of originals into it, with an executable and data beside them,
 * and times in the past. Our DLLs go to `FOLDER-ours`. */
void Game_Make(const char *folder);
void Game_OursFolder(const char *folder, char path[FILES_PATH_BYTES]);
/* Makes other DLLs of ours, as a next version has them. */
void Game_MakeOurs(const char *folder, uint8_t filler);

void Game_Write(const char *folder, const char *name, const void *bytes, size_t size);
void Game_WriteText(const char *folder, const char *name, const char *text);
void Game_Read(const char *folder, const char *name, RpBuffer *bytes);
void Game_Remove(const char *folder, const char *name);
bool Game_Has(const char *folder, const char *name);

/* Appends names, bytes and times of all files, as text, in the order of the names. */
void Game_Snapshot(const char *folder, RpBuffer *snapshot);
/* Fails with both texts if the folder is not as it was. Frees nothing. */
void Game_ExpectSnapshot(const char *folder, const RpBuffer *expected, const char *when);

/* Makes our DLL as it was built, with the original's digest behind it. What PeWriter does is tested
 * elsewhere. */
extern const InstallMaker game_builder;
/* Returns options for this folder without a dry run, with the builder above. */
InstallOptions Game_Options(const char *folder, const FileOps *ops);

#endif
