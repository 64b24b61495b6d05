import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Asset, asset } from '../../parts/asset.ts'

/** Addresses of scripts begin with it; a subdomain never begins with a dash. */
export const BELOW = '/dashboard/-/'

const OWN = new URL('../scripts/', import.meta.url)

/** Modules from npm, as they are in their packages: those that every page loads, and those of the editor. */
const PACKAGES = {
  '@hotwired/turbo': '@hotwired/turbo/dist/turbo.es2017-esm.js',
  '@hotwired/stimulus': '@hotwired/stimulus/dist/stimulus.js',
  '@codemirror/autocomplete': '@codemirror/autocomplete/dist/index.js',
  '@codemirror/commands': '@codemirror/commands/dist/index.js',
  '@codemirror/language': '@codemirror/language/dist/index.js',
  '@codemirror/legacy-modes/mode/ruby': '@codemirror/legacy-modes/mode/ruby.js',
  '@codemirror/state': '@codemirror/state/dist/index.js',
  '@codemirror/streamparser': '@codemirror/streamparser/dist/index.js',
  '@codemirror/view': '@codemirror/view/dist/index.js',
  '@lezer/common': '@lezer/common/dist/index.js',
  '@lezer/highlight': '@lezer/highlight/dist/index.js',
  '@marijn/find-cluster-break': '@marijn/find-cluster-break/src/index.js',
  crelt: 'crelt/index.js',
  'style-mod': 'style-mod/src/style-mod.js',
  'w3c-keyname': 'w3c-keyname/index.js',
}

/** What the editor of rich text is made of; loaded where one is on a page. */
const OF_EDITOR = [
  'prosemirror-commands',
  'prosemirror-history',
  'prosemirror-inputrules',
  'prosemirror-keymap',
  'prosemirror-model',
  'prosemirror-schema-list',
  'prosemirror-state',
  'prosemirror-transform',
  'prosemirror-view',
  'orderedmap',
  'rope-sequence',
]

const scripts = new Map<string, Asset>()

/** Reads a module once. `name` is its bare name in imports. */
function add(name: string, file: string): void {
  const stem = name.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')
  scripts.set(name, asset(BELOW + stem, 'js', readFileSync(file, 'utf8')))
}

for (const [name, file] of Object.entries(PACKAGES)) add(name, resolve(file))
for (const name of OF_EDITOR) add(name, resolve(`${name}/dist/index.js`))
for (const file of readdirSync(OWN).filter((one) => one.endsWith('.js')))
  add(`dashboard/${file.slice(0, -3)}`, fileURLToPath(new URL(file, OWN)))

function resolve(file: string): string {
  return fileURLToPath(new URL(`../../../../node_modules/${file}`, import.meta.url))
}

const imports = Object.fromEntries([...scripts].map(([name, { address }]) => [name, address]))

/** The content of the import map: bare names to addresses that have the hash of their content in them. */
export const IMPORT_MAP = JSON.stringify({ imports })
export const IMPORT_MAP_HASH = `sha256-${createHash('sha256').update(IMPORT_MAP).digest('base64')}`

/** The address of a module by its bare name: `dashboard/main`. */
export function scriptAddress(name: string): string {
  return scripts.get(name)!.address
}

const byAddress = new Map([...scripts.values()].map((script) => [script.address, script]))

/** A module by its address. */
export function scriptAt(address: string): Asset | undefined {
  return byAddress.get(address)
}
