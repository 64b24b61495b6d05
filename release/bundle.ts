import { globSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { write } from './compile.ts'
import { folderOf, nameAt } from './lock.ts'

/** Packages that stay as they are published, since their licences ask for that. */
export const WHOLE = ['mediabunny']
/** Packages that others try to load and do without. */
const ABSENT = ['bufferutil', 'pg-native', 'utf-8-validate']

/** Packages whose modules look for files or other packages by their own place, and what they need instead when they are joined. */
const BY_PLACE: Record<string, [RegExp, string]> = {
  '@ai-sdk/provider-utils': [/\bnodeRequire\("undici"\)/, 'await import("undici")'],
  pdfkit: [/\brequire\$1\(/g, 'require('],
}
/** Packages that do so only in threads that we do not start, or do without. */
const HARMLESS = ['pino', 'thread-stream', 'undici', 'undici_v7', 'undici_v8']

const SEES_PLACE = /\bcreateRequire\b|\bimport\.meta\b|\b__(?:dir|file)name\b/

/** A chunk that more than one entry needs is in this folder of `src`. */
const SHARED = 'shared'

/** A package that the code gets by `require` is in a file of its own in this folder of `src`. */
const REQUIRED = 'required'
const REQUIRE = /\brequire\('([^'.][^':]*)'\)/g

/** A place that only the code of a chunk can tell, once it is known in which file it is. */
const PLACE = /placeOfModule\("([^"]+)"\)/g

/**
 * Joins the modules of a staged release with the packages that they import, so that a start opens some forty files and not two
 * thousand, and keeps half as much of their text in memory. What is loaded when it is needed is in files of its own. The code
 * keeps its lines and names, and loses its comments. Returns the folders of the packages that are in it.
 */
export async function bundle(directory: string, root: string): Promise<string[]> {
  const source = join(directory, 'src')
  const modules = globSync('**/*.ts', { cwd: join(root, 'src') }).map((file) => file.replace(/\.ts$/, '.js'))
  const input = Object.fromEntries([
    ...entriesOf(source, modules).map((file) => [file.replace(/\.js$/, ''), join(source, file)]),
    ...requiredIn(source, modules).map((name) => [requiredFile(name), `${REQUIRED}:${name}`]),
  ])
  const built = await rolldown({
    ...{ input, cwd: directory, platform: 'node', transform: { target: 'esnext' } },
    plugins: [packagesOf(source, root), requiredPackages(), placesOfPackages(root), places(source, modules)],
    experimental: { attachDebugInfo: 'none' },
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await built.generate({
    ...{ format: 'esm', comments: false, keepNames: true },
    ...{ entryFileNames: '[name].js', chunkFileNames: `${SHARED}/[name]-[hash].js` },
  })
  const chunks = output.filter((one) => one.type === 'chunk')
  for (const file of modules) rmSync(join(source, file))
  for (const chunk of chunks) write(join(source, chunk.fileName), inAscii(withPlaces(chunk)))
  return packagesIn(chunks, root)
}

/** The modules that are named by their files: by `bin`, by plain JavaScript, and as programs of threads and processes. */
function entriesOf(source: string, modules: string[]): string[] {
  const plain = [...globSync('../bin/*.mjs', { cwd: source }), ...globSync('**/*.mjs', { cwd: source })]
  const named = [
    ...namedIn(source, plain, /\bimport\(\s*'([^']+)'/g),
    ...namedIn(source, modules, /\bnew URL\('([^']+)'/g),
  ]
  return [...new Set(named)].filter((file) => modules.includes(file)).sort()
}

function namedIn(source: string, files: string[], pattern: RegExp): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    return [...text.matchAll(pattern)].map(([, name]) => relative(source, resolve(source, dirname(file), name!)))
  })
}

function requiredIn(source: string, modules: string[]): string[] {
  const texts = modules.map((file) => readFileSync(join(source, file), 'utf8'))
  return [...new Set(texts.flatMap((text) => [...text.matchAll(REQUIRE)].map(([, name]) => name!)))].sort()
}

function requiredFile(name: string): string {
  return `${REQUIRED}/${name.replaceAll(/\W+/g, '-')}`
}

/** Makes a module for each, from which `require` returns what the package exports: Node.js looks for the name `module.exports`. */
function requiredPackages(): Plugin {
  return {
    name: 'required packages',
    resolveId: { order: 'pre', handler: (name) => (name.startsWith(`${REQUIRED}:`) ? name : null) },
    load: (id) =>
      id.startsWith(`${REQUIRED}:`)
        ? `const exported = require('${id.slice(REQUIRED.length + 1)}'); export { exported as 'module.exports' }`
        : null,
  }
}

/** Finds packages where the repository has them. */
function packagesOf(source: string, root: string): Plugin {
  return {
    name: 'packages',
    resolveId: {
      order: 'pre',
      async handler(name, importer = '', { kind }) {
        if (/^[./\0]/.test(name)) return null
        if (name.startsWith('node:') || builtinModules.includes(name)) return { id: name, external: true }
        if (WHOLE.includes(name)) return { id: name, external: true }
        const own = importer.startsWith(source) || importer.startsWith(`${REQUIRED}:`)
        const found = await this.resolve(name, own ? join(root, 'src/main.ts') : importer, { skipSelf: true, kind })
        if (!found && !ABSENT.includes(name)) throw new Error(`${importer} imports ${name}, which is not installed.`)
        return found ?? { id: name, external: true }
      },
    },
  }
}

/** Lets packages find others from wherever their code is. */
function placesOfPackages(root: string): Plugin {
  return {
    name: 'places of packages',
    transform(code, id) {
      if (!id.startsWith(join(root, 'node_modules/')) || !SEES_PLACE.test(code)) return null
      const name = nameAt(folderOf(id))
      if (HARMLESS.includes(name)) return null
      const [pattern, instead] = BY_PLACE[name] ?? []
      if (!pattern || code.search(pattern) === -1) throw new Error(`${id} looks for something by its own place.`)
      return { code: code.replace(pattern, instead!), map: null }
    },
  }
}

/** Lets modules find the files near them from wherever their code is. */
function places(source: string, modules: string[]): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      const file = relative(source, id)
      if (!modules.includes(file) || !code.includes('import.meta')) return null
      if (/import\.meta\.(?!url\b)/.test(code))
        throw new Error(`${file}: of import.meta only url is known to a release.`)
      const placed = code.replaceAll('import.meta.url', `placeOfModule(${JSON.stringify(file)})`)
      const toTop = relative(dirname(file), '.') || '.'
      return {
        code: placed.replaceAll(REQUIRE, (_, name) => `require('${toTop}/${requiredFile(name)}.js')`),
        map: null,
      }
    },
  }
}

function withPlaces({ code, fileName }: OutputChunk): string {
  return code.replace(PLACE, (_, file: string) => {
    const path = relative(dirname(fileName), file)
    return `new URL(${JSON.stringify(path.startsWith('.') ? path : `./${path}`)}, import.meta.url).href`
  })
}

/** V8 keeps a text with one other character in twice the memory. */
function inAscii(code: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error('String.raw cannot have characters beyond ASCII.')
  return code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function packagesIn(chunks: OutputChunk[], root: string): string[] {
  const ids = chunks.flatMap(({ moduleIds }) => moduleIds).map((id) => relative(root, id))
  return [...new Set(ids.filter((id) => id.startsWith('node_modules/')).map(folderOf))]
}
