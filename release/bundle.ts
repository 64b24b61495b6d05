import { globSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { write } from './compile.ts'

/** A chunk that more than one entry needs is in this folder of `src`. */
const SHARED = 'shared'

/** Packages that stay whole: the licence of the one asks for that, and the other is read as files. */
const WHOLE = /^(mediabunny|@ruby\/.*)$/

/** A place that only the code of a chunk can tell, once it is known in which file it is. */
const PLACE = /placeOfModule\("([^"]+)"\)/g

/**
 * Joins the modules of a staged release with the packages that they import, so that a start opens some forty files and not two
 * thousand, and keeps half as much of their text in memory. What is imported when it is needed stays a package. The code keeps
 * its lines and names, and loses its comments. Returns the folders of the packages that are in it.
 */
export async function bundle(directory: string, root: string): Promise<string[]> {
  const source = join(directory, 'src')
  const modules = globSync('**/*.ts', { cwd: join(root, 'src') }).map((file) => file.replace(/\.ts$/, '.js'))
  const input = Object.fromEntries(
    entriesOf(source, modules).map((file) => [file.replace(/\.js$/, ''), join(source, file)]),
  )
  const built = await rolldown({
    ...{ input, cwd: directory, platform: 'node', transform: { target: 'esnext' } },
    plugins: [packagesOf(source, root), places(source, modules)],
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

/** Finds packages where the repository has them, and leaves those outside that are imported when they are needed. */
function packagesOf(source: string, root: string): Plugin {
  return {
    name: 'packages',
    resolveId: {
      order: 'pre',
      async handler(name, importer = '', { kind }) {
        if (/^[./\0]/.test(name)) return null
        if (name.startsWith('node:') || builtinModules.includes(name)) return { id: name, external: true }
        const own = importer.startsWith(source)
        if (WHOLE.test(name) || (own && kind === 'dynamic-import')) return { id: name, external: true }
        const found = await this.resolve(name, own ? join(root, 'src/main.ts') : importer, { skipSelf: true, kind })
        // Packages try to load others that may be absent.
        return found ?? { id: name, external: true }
      },
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
      return { code: code.replaceAll('import.meta.url', `placeOfModule(${JSON.stringify(file)})`), map: null }
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
  return [
    ...new Set(ids.flatMap((id) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])),
  ].sort()
}
