import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** What programs read beside code. Documents for who works on the source are not among it. */
const FOR_DEVELOPERS = /(^|\/)README\.md$/

/** A file of another of the own files: `'./run.ts'` in an import, in `new URL`, or in `import()`. */
const OWN_FILE = /((?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*')(\.{1,2}\/[^'\n]+)\.ts'/g

/**
 * Copies a folder of the source, with its TypeScript as JavaScript: types become spaces and names of files change their last
 * letters, so each statement keeps its line and its column, and a stack trace of a release leads to the place in the source.
 * Node.js removes no types below `node_modules`, where a release is.
 */
export function compileFolder(from: string, to: string): void {
  for (const file of filesBelow(from)) {
    if (FOR_DEVELOPERS.test(file)) continue
    const bytes = readFileSync(join(from, file))
    if (file.endsWith('.ts')) write(join(to, withJs(file)), javascriptOf(bytes.toString()))
    else write(join(to, file), /\.m?js$/.test(file) ? withOwnNames(bytes.toString()) : bytes)
  }
}

/** Copies a folder as it is, except for the commands in its guides. */
export function copyFolder(from: string, to: string): void {
  for (const file of filesBelow(from)) {
    const bytes = readFileSync(join(from, file))
    write(join(to, file), file.endsWith('.md') ? withOwnCommand(bytes.toString()) : bytes)
  }
}

export function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** TypeScript without its types. Trailing spaces, of which most are left by types, go. */
function javascriptOf(typescript: string): string {
  return withOwnNames(stripTypeScriptTypes(typescript)).replace(/[ \t]+$/gm, '')
}

function withOwnNames(code: string): string {
  return withOwnCommand(code.replace(OWN_FILE, "$1$2.js'"))
}

/**
 * Texts name the commands as they are run in the source. Where a release is installed there are no scripts, and the command is
 * that of the package: `npx --no -- shopwright token create`.
 */
function withOwnCommand(text: string): string {
  return text
    .replace(/\bnpm run (?:-s )?(NAME|\$\{[^}]*\}|[a-z]+(?:-[a-z]+)*)(?: --(?= ))?/g, (whole, name: string) =>
      OF_SOURCE.has(name) ? whole : `${OWN_COMMAND} ${name}`,
    )
    .replace(/\bnpm start\b/g, `${OWN_COMMAND} start`)
}

/** Without `--`, npx takes the name for the value of `--no`. */
const OWN_COMMAND = 'npx --no -- shopwright'

/** Scripts that work on the source, and that no release has. */
const OF_SOURCE = new Set([
  'bench',
  'catalog',
  'check',
  'dev',
  'format',
  'licences',
  'pack',
  'release',
  'test',
  'types',
])

function withJs(file: string): string {
  return file.replace(/\.ts$/, '.js')
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
}
