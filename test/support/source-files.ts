import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root directory of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** All TypeScript files of `src`, relative to it. */
export const sources = filesIn('src').filter((path) => path.endsWith('.ts'))

const importCache = new Map<string, string[]>()

/** Returns the import cycles, each as a sorted list of files. */
export function circles(): string[][] {
  const reached = new Map(sources.map((file) => [file, reachedFrom(file)]))
  const inCircle = sources.filter((file) => reached.get(file)!.has(file))
  const groups = inCircle.map((file) =>
    inCircle.filter((other) => reached.get(file)!.has(other) && reached.get(other)!.has(file)).sort(),
  )
  return [...new Map(groups.map((group) => [group.join(), group])).values()]
}

/** Returns all files that a file imports directly or indirectly. It includes the file itself only if there is a cycle. */
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

/** Whether a file belongs to the resources of the core or of a feature. */
export function isOfResources(file: string): boolean {
  return /^(features\/[^/]+\/)?resources\//.test(file)
}

/** Whether a file is named like its folder: `resources/catalog/product/product.ts`. */
export function isNoun(file: string): boolean {
  return isOfResources(file) && basename(file, '.ts') === basename(dirname(file))
}

/** Folders whose subfolders count as separate parts. */
const ROOMS = ['contract', 'features', 'providers', 'settings']

/** Returns the part that a file belongs to, such as `records` or `contract/values`; a file directly in `src` is its own part. */
export function partOf(file: string): string {
  const [part, inner] = file.split('/')
  return ROOMS.includes(part!) ? `${part}/${inner}` : part!
}

/** Returns the files that a file imports, relative to `src`. */
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

/** Returns the imports of a file without its type imports. */
export function runtimeImportsOf(file: string): string[] {
  const types = [...codeOf(file).matchAll(/\bimport type [^']*'(\.[^']+)'/g)].map(([, target]) => target!)
  const resolved = types.map((target) => relative(join(ROOT, 'src'), resolve(ROOT, 'src', dirname(file), target)))
  return importsOf(file).filter((target) => !resolved.includes(target))
}

/** Returns exported values that no other file imports, such as `format/money.ts: formatMoney`. Exported types are not checked. */
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

/** Returns the imported names of each file by its path in the repository. */
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

/** Counts how often a folder of `src` overrides the compiler with `as` casts and with `!` non-null assertions. */
export function assertionsIn(part: string): { casts: number; absents: number } {
  const code = sources.filter((file) => file.startsWith(`${part}/`)).map((file) => codeOf(file).replace(IMPORT, ''))
  const count = (pattern: RegExp) => code.reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0)
  return { casts: count(CAST), absents: count(ABSENT) }
}

/** Matches casts, but neither `as const` nor the word `as` in texts. */
const CAST =
  /[\w)\]}'`] as (?!const\b)(?:[A-Z{[('`]|(?:unknown|never|string|number|boolean|object|keyof|typeof|readonly|z)\b)/g
const IMPORT = /^(?:import|export) (?:type )?(?:\{[^}]*\}|\* as \w+) from .*$/gm
const ABSENT = /[\w)\]]!(?=[.,;:)\]}[(\s])(?! =)/g

/** Returns a file without its comments. */
export function codeOf(file: string): string {
  return read('src', file).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
}

/** `a.ts imports b.ts`. */
export function told({ file, target }: { file: string; target: string }): string {
  return `${file} imports ${target}`
}

/** Returns all files below a directory, relative to it. */
export function filesIn(part: string): string[] {
  return readdirSync(join(ROOT, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(ROOT, part), join(entry.parentPath, entry.name)))
}

/** Reads a file of the repository. */
export function read(...path: string[]): string {
  return readFileSync(join(ROOT, ...path), 'utf8')
}
