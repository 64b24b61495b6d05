import { builtinModules } from 'node:module'
import { describe, expect, it } from 'vitest'
import { filesIn, read } from './support/source-files.ts'

interface Manifest {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const manifest = JSON.parse(read('package.json')) as Manifest
const lock = JSON.parse(read('package-lock.json')) as { packages: { '': Manifest } }
const forService = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
const forTests = [...forService, ...Object.keys(manifest.devDependencies)]

/** Names that the import map of the dashboard gives to scripts of its own. */
const OF_IMPORT_MAPS = ['dashboard']

/** The packages that files of a directory import, each with one file that does. */
function packagesOf(directory: string): Map<string, string> {
  const files = filesIn(directory).filter((file) => /\.(ts|js|mjs)$/.test(file))
  const found = files.flatMap((file) => {
    const code = read(directory, file)
    const imports = code.matchAll(/(?:^|[\s;}])(?:from|import|import\(|require\(|resolve\()\s*'(@?[a-z][^'\s:]*)'/g)
    return [...imports].map(([, specifier]) => [nameOf(specifier!), `${directory}/${file}`] as const)
  })
  return new Map(found.filter(([name]) => !builtinModules.includes(name) && !OF_IMPORT_MAPS.includes(name)))
}

/** `@codemirror/view` of `@codemirror/view/dist/index.js`. */
function nameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function undeclared(directory: string, declared: string[]): string[] {
  const used = [...packagesOf(directory)].filter(([name]) => !declared.includes(name))
  return used.map(([name, file]) => `${name} in ${file}`)
}

describe('Every package', () => {
  it('that the service imports is one of its dependencies', () => {
    expect(packagesOf('src').size).toBeGreaterThan(20)
    expect([...undeclared('src', forService), ...undeclared('bin', forService)]).toEqual([])
  })

  it('that tests and benchmarks import is declared', () => {
    expect([...undeclared('test', forTests), ...undeclared('bench', forTests)]).toEqual([])
  })

  it('is declared alike in the lock file', () => {
    const { dependencies, optionalDependencies, devDependencies } = lock.packages['']
    const declared = [manifest.dependencies, manifest.optionalDependencies, manifest.devDependencies]
    expect([dependencies, optionalDependencies, devDependencies]).toEqual(declared)
  })
})
