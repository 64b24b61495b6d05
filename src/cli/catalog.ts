import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { PRODUCT } from '../assembly.ts'
import { openapi } from '../contract/documents/openapi.ts'
import { resourceDocs } from '../contract/documents/resource-docs.ts'
import { toolsOf } from '../contract/documents/tools.ts'
import { Presenter } from '../pipeline/present.ts'
import { exitCode } from './exit-codes.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'

export const USAGE = `Regenerates the files in catalog/ from the declarations.

  npm run catalog               writes them
  npm run catalog -- --check    fails if they are out of date, and writes nothing`

const DIRECTORY = fileURLToPath(new URL('../../catalog/', import.meta.url))

export async function run(terminal: Terminal): Promise<number> {
  const files = catalogFiles()
  const { words, flags } = readOptions(terminal.args, {}, USAGE, ['check'])
  refuseWords(words, USAGE)
  if (flags.has('check')) {
    const stale = await staleFiles(files)
    if (stale.length > 0)
      terminal.complain(`The catalogue is stale (${stale.join(', ')}): run npm run catalog and commit the result.`)
    return exitCode(stale.length > 0 ? 'failed' : 'done')
  }
  await rm(DIRECTORY, { recursive: true, force: true })
  await mkdir(DIRECTORY, { recursive: true })
  for (const [name, text] of files) await writeFile(`${DIRECTORY}${name}`, text)
  terminal.print(`Wrote ${files.size} files to catalog/.`)
  return 0
}

/** Returns the catalogue's files by name: the OpenAPI document, and for each resource the documentation that Ruby programs read. */
export function catalogFiles(): Map<string, string> {
  const { shop } = PRODUCT
  const presenter = new Presenter(shop)
  const { findNoun } = presenter
  const operations = shop.flatMap((resource) => resource.operations)
  const files = new Map([['openapi.json', asText(openapi(operations, presenter.nouns(), findNoun, '/v1'))]])
  const tools = toolsOf(operations, findNoun)
  for (const [name, docs] of Object.entries(resourceDocs(operations, findNoun))) {
    const own = tools.filter((_, index) => operations[index]!.noun.name === name)
    files.set(`${name}.json`, asText({ name, ...docs, operations: own }))
  }
  return files
}

async function staleFiles(files: Map<string, string>): Promise<string[]> {
  const present = await readdir(DIRECTORY).catch(() => [])
  const surplus = present.filter((name) => !files.has(name))
  const differing = await Promise.all(
    [...files].map(async ([name, text]) =>
      (await readFile(`${DIRECTORY}${name}`, 'utf8').catch(() => '')) === text ? [] : [name],
    ),
  )
  return [...surplus, ...differing.flat()]
}

function asText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
