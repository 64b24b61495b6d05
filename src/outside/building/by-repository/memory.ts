import { requireModestPack } from './pack.ts'

type Encoded = { encoding?: string } | string | undefined

/** The few operations on files that the git library needs, in memory, for one clone. Nothing of a repository reaches the disk. */
export function memoryFiles() {
  const files = new Map<string, Uint8Array>()
  const folders = new Set(['/'])
  const promises = {
    async readFile(path: string, options?: Encoded): Promise<Uint8Array | string> {
      const bytes = files.get(normal(path))
      if (!bytes) throw missing(path)
      const encoding = typeof options === 'string' ? options : options?.encoding
      return encoding ? Buffer.from(bytes).toString('utf8') : bytes
    },
    async writeFile(path: string, data: Uint8Array | string): Promise<void> {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data
      if (path.endsWith('.pack')) requireModestPack(bytes)
      files.set(normal(path), bytes)
    },
    async unlink(path: string): Promise<void> {
      if (!files.delete(normal(path))) throw missing(path)
    },
    async mkdir(path: string): Promise<void> {
      folders.add(normal(path))
    },
    async rmdir(path: string): Promise<void> {
      folders.delete(normal(path))
    },
    async readdir(path: string): Promise<string[]> {
      const start = `${normal(path)}/`.replace('//', '/')
      const below = [...files.keys(), ...folders].filter((one) => one.startsWith(start) && one !== start)
      return [...new Set(below.map((one) => one.slice(start.length).replace(/\/.*$/s, '')))]
    },
    stat: async (path: string) => statOf(path),
    lstat: async (path: string) => statOf(path),
    async readlink(path: string): Promise<string> {
      throw missing(path)
    },
    async symlink(_target: string, path: string): Promise<void> {
      throw missing(path)
    },
  }

  function statOf(path: string) {
    const name = normal(path)
    const bytes = files.get(name)
    if (!bytes && !folders.has(name)) throw missing(path)
    const kind = {
      isFile: () => bytes !== undefined,
      isDirectory: () => bytes === undefined,
      isSymbolicLink: () => false,
    }
    return {
      ...kind,
      size: bytes?.length ?? 0,
      mode: bytes ? 0o100644 : 0o40000,
      mtimeMs: 0,
      ctimeMs: 0,
      ino: 0,
      uid: 0,
      gid: 0,
    }
  }
  return { promises }
}

function normal(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`
}

function missing(path: string): Error {
  return Object.assign(new Error(`There is no ${path}.`), { code: 'ENOENT' })
}
