import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser of this machine: the one that CHROMIUM names, or the first of the usual names on the PATH; null without one. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const directories = (process.env.PATH ?? '').split(delimiter)
  const places = NAMES.flatMap((name) => directories.map((directory) => join(directory, name)))
  return places.find(isProgram) ?? null
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
