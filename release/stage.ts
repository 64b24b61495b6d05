// Writes what a release holds into a directory: node release/stage.ts [DIRECTORY]
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { compileFolder, copyFolder, write } from './compile.ts'
import { type Lock, type Locked, nameAt, productionPlaces } from './lock.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The licences of the packages whose code is among our own. */
const NOTICES = 'NOTICES.txt'

/** Folders that hold code, and folders that the code reads or people use. */
const CODE = ['bin', 'src']
const AS_THEY_ARE = ['catalog', 'docs/guides', 'examples', 'ruby-prelude']
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md']

export interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  [other: string]: unknown
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
}

export function readLock(): Lock {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
}

/** Packages that a release brings in itself, because npm would refuse what they ask of other packages; see docs/decisions/0097. */
const BUNDLED = ['@better-auth/passkey']

/** Writes into `directory` what a release holds. */
export async function stage(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true })
  for (const folder of CODE) compileFolder(join(ROOT, folder), join(directory, folder))
  for (const folder of AS_THEY_ARE) copyFolder(join(ROOT, folder), join(directory, folder))
  for (const file of DOCUMENTS) write(join(directory, file), readFileSync(join(ROOT, file)))
  for (const name of BUNDLED) bringAlong(name, join(directory, 'node_modules', name))
  write(join(directory, NOTICES), noticesOf(await bundle(directory, ROOT)))
  write(join(directory, 'package.json'), asJson(releaseManifest()))
}

/**
 * What of the manifest means something where the package is installed. Each package that the service needs is named with the
 * version that was tested, those that others need as well, so that npm has nothing to choose and `overrides` are not needed.
 */
export function releaseManifest(): Manifest {
  const { name, version, description, type, license, engines, optionalDependencies } = readManifest()
  const lock = readLock()
  const atTop = productionPlaces(lock).filter((place) => place === `node_modules/${nameAt(place)}`)
  const needed = atTop.filter((place) => !(nameAt(place) in optionalDependencies) && !lock.packages[place]?.optional)
  return {
    ...{ name, version, description, private: true, type, license, engines },
    bin: { shopwright: 'bin/shopwright.mjs' },
    files: [...CODE, ...AS_THEY_ARE, ...DOCUMENTS, NOTICES],
    dependencies: Object.fromEntries(needed.map((place) => [nameAt(place), specOf(lock.packages[place]!)])),
    optionalDependencies,
    bundleDependencies: BUNDLED,
  }
}

/** An exact version; a package that is installed under another name says which it is. */
function specOf({ name, version = '' }: Locked): string {
  return name === undefined ? version : `npm:${name}@${version}`
}

/** Copies an installed package, without the versions that it asks of others: the root of the release names those. */
function bringAlong(name: string, to: string): void {
  copyFolder(join(ROOT, 'node_modules', name), to)
  const { peerDependencies, devDependencies, ...manifest } = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'))
  write(join(to, 'package.json'), asJson(manifest))
}

/** What the licences of these packages ask to go along with their code. */
function noticesOf(folders: string[]): string {
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
    const texts = globSync('{LICEN[CS]E,licen[cs]e,NOTICE}{,.*,-*}', { cwd: join(ROOT, folder) })
    const said = texts.sort().map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim())
    return `${name} ${version} (${license})\n\n${said.join('\n\n')}`.trim()
  })
  return `${['Code of these packages is in the files of src/shared.', ...notices].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

if (import.meta.main) await stage(resolve(process.argv[2] ?? join(ROOT, 'dist/package')))
