import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Every file of `src`, relative to it. */
export const sources = filesIn('src').filter((path) => path.endsWith('.ts'))

const importCache = new Map<string, string[]>()

/** Circles of files that import each other, each as one sorted list. */
export function circles(): string[][] {
  const reached = new Map(sources.map((file) => [file, reachedFrom(file)]))
  const inCircle = sources.filter((file) => reached.get(file)!.has(file))
  const groups = inCircle.map((file) =>
    inCircle.filter((other) => reached.get(file)!.has(other) && reached.get(other)!.has(file)).sort(),
  )
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

/** Every file that a file leads to by its imports, itself only when they lead back. */
function reachedFrom(file: string): Set<string> {
  const found = new Set<string>()
  const waiting = [...importsOf(file)]
  for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
    if (found.has(target)) continue
    found.add(target)
    waiting.push(...importsOf(target))
  }
  return found
}

/** `resources/catalog/product/product.ts`: named like its folder. */
export function isNoun(file: string): boolean {
  return file.startsWith('resources/') && basename(file, '.ts') === basename(dirname(file))
}

/** Rooms whose folders are parts of their own. */
const ROOMS = ['contract', 'providers']

/** The folder of `src` that a file is in, or the file itself when it is in none: `records`, `contract/values`. */
export function partOf(file: string): string {
  const [part, inner] = file.split('/')
  return ROOMS.includes(part!) ? `${part}/${inner}` : part!
}

/** The files of `src` that a file imports, relative to `src`. */
export function importsOf(file: string): string[] {
  const known = importCache.get(file)
  if (known) return known
  const found = codeOf(file).matchAll(/\b(?:from|import|import\()\s*'(\.[^']+)'/g)
  const targets = [...found].map(([, target]) =>
    relative(join(ROOT, 'src'), resolve(ROOT, 'src', dirname(file), target!)),
  )
  importCache.set(file, targets)
  return targets
}

/** What a file imports when it runs: types are gone by then. */
export function runtimeImportsOf(file: string): string[] {
  const types = [...codeOf(file).matchAll(/\bimport type [^']*'(\.[^']+)'/g)].map(([, target]) => target!)
  const resolved = types.map((target) => relative(join(ROOT, 'src'), resolve(ROOT, 'src', dirname(file), target)))
  return importsOf(file).filter((target) => !resolved.includes(target))
}

/** Values that a file of `src` exports and no other file of `src`, `test`, `bench` or `release` imports: `format/money.ts: formatMoney`. Types may be exported for what is. */
export function needlessExports(): string[] {
  const imported = importedNames()
  return sources.flatMap((file) => {
    const names = imported.get(join('src', file)) ?? new Set()
    if (names.has(EVERY_NAME)) return []
    const exported = [...codeOf(file).matchAll(EXPORTED)].map(([, name]) => name!)
    return [...new Set(exported)].filter((name) => !names.has(name)).map((name) => `${file}: ${name}`)
  })
}

const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class) (\w+)/gm
const NAMED_IMPORT = /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g
const WHOLE_IMPORT = /(?:\*\s*as\s+\w+\s+from\s*|\*\s+from\s*|\bimport\(\s*)'(\.[^']+)'/g
const EVERY_NAME = '*'

/** The names that are imported of each file, by its path in the repository. */
function importedNames(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const note = (file: string, target: string, names: string[]) => {
    const path = join(dirname(file), target)
    found.set(path, (found.get(path) ?? new Set()).union(new Set(names)))
  }
  for (const part of ['src', 'test', 'bench', 'release'])
    for (const file of filesIn(part).filter((path) => /\.m?[jt]s$/.test(path))) {
      const text = read(part, file)
      for (const [, names, target] of text.matchAll(NAMED_IMPORT))
        note(
          join(part, file),
          target!,
          names!.split(',').map(
            (name) =>
              name
                .trim()
                .replace(/^type /, '')
                .split(' ')[0]!,
          ),
        )
      for (const [, target] of text.matchAll(WHOLE_IMPORT)) note(join(part, file), target!, [EVERY_NAME])
    }
  return found
}

/** How often a folder of `src` overrules the compiler: by a cast with `as`, and by `!` after what may be absent. */
export function assertionsIn(part: string): { casts: number; absents: number } {
  const code = sources.filter((file) => file.startsWith(`${part}/`)).map((file) => codeOf(file).replace(IMPORT, ''))
  const count = (pattern: RegExp) => code.reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0)
  return { casts: count(CAST), absents: count(ABSENT) }
}

/** Of a type's name or form: not of `as const`, nor of words in texts. */
const CAST =
  /[\w)\]}'`] as (?!const\b)(?:[A-Z{[('`]|(?:unknown|never|string|number|boolean|object|keyof|typeof|readonly|z)\b)/g
const IMPORT = /^(?:import|export) (?:type )?(?:\{[^}]*\}|\* as \w+) from .*$/gm
const ABSENT = /[\w)\]]!(?=[.,;:)\]}[(\s])(?! =)/g

/** Without comments. */
export function codeOf(file: string): string {
  return read('src', file).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
}

/** `a.ts imports b.ts`. */
export function told({ file, target }: { file: string; target: string }): string {
  return `${file} imports ${target}`
}

/** The files below a directory of the repository, relative to it. */
export function filesIn(part: string): string[] {
  return readdirSync(join(ROOT, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(ROOT, part), join(entry.parentPath, entry.name)))
}

/** The text of a file of the repository. */
export function read(...path: string[]): string {
  return readFileSync(join(ROOT, ...path), 'utf8')
}
