import { access, constants, open, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

function pathOf({ directory }: Pick<Terminal, 'directory'>, name: string): string {
  return resolve(directory, name)
}

/** Throws UsageError if the file cannot be read. */
export async function readNamed(terminal: Pick<Terminal, 'directory'>, name: string): Promise<string> {
  const path = pathOf(terminal, name)
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(fileProblem(error, name, path))
  })
}

/** Returns the path of a readable file. Throws UsageError if there is none. */
export async function requireFile(terminal: Pick<Terminal, 'directory'>, name: string): Promise<string> {
  const path = pathOf(terminal, name)
  try {
    const file = await open(path)
    const found = await file.stat().finally(() => file.close())
    if (!found.isDirectory()) return path
  } catch (error) {
    throw new UsageError(fileProblem(error as NodeJS.ErrnoException, name, path))
  }
  throw new UsageError(`${path} is a directory, not a file.`)
}

/** Returns the path for a new file. Throws UsageError unless its directory exists and is writable. */
export async function requireFolderFor(terminal: Pick<Terminal, 'directory'>, name: string): Promise<string> {
  const path = pathOf(terminal, name)
  const folder = dirname(path)
  const found = await stat(folder).catch(() => null)
  if (found === null) throw new UsageError(`There is no directory ${folder}: create it, or choose another location.`)
  if (!found.isDirectory()) throw new UsageError(`${folder} is a file, not a directory: choose another location.`)
  await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(fileProblem(error, folder, folder))
  })
  return path
}

function fileProblem({ code, message }: NodeJS.ErrnoException, name: string, path: string): string {
  const place = name === path ? name : `${name} (${path})`
  switch (code) {
    case 'ENOENT':
      return `There is no file ${place}.`
    case 'EISDIR':
      return `${place} is a directory, not a file.`
    case 'ENOTDIR':
      return `A part of the path ${place} is a file, not a directory.`
    case 'EACCES':
    case 'EPERM':
      return `Permission denied: ${place}.`
    case 'EROFS':
      return `${place} is on a read-only file system.`
    case 'ENOSPC':
      return `The disk that holds ${place} is full.`
    default:
      return `${place} cannot be used: ${message}.`
  }
}
