import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inputName } from '../contract/noun.ts'
import { openapi } from '../contract/openapi.ts'
import { type Tool, toolOf } from '../contract/tools.ts'
import { Presenter } from '../pipeline/present.ts'
import type { Resource } from '../records/resource.ts'
import { shop } from '../resources/shop.ts'
import type { Terminal } from './terminal.ts'

const DIRECTORY = fileURLToPath(new URL('../../catalog/', import.meta.url))

/** `catalog` writes the catalogue's files anew; `catalog --check` fails when they are not what the declarations say. */
export async function catalog(terminal: Terminal): Promise<number> {
  const files = catalogFiles()
  if (terminal.args.includes('--check')) {
    const stale = await staleFiles(files)
    if (stale.length > 0)
      terminal.complain(`The catalogue is stale (${stale.join(', ')}): run npm run catalog and commit what it writes.`)
    return stale.length > 0 ? 1 : 0
  }
  await rm(DIRECTORY, { recursive: true, force: true })
  await mkdir(DIRECTORY, { recursive: true })
  for (const [name, text] of files) await writeFile(`${DIRECTORY}${name}`, text)
  terminal.print(`Wrote ${files.size} files to catalog/.`)
  return 0
}

/** The catalogue by file name: the OpenAPI document and one file per resource. */
export function catalogFiles(): Map<string, string> {
  const { findNoun } = new Presenter(shop)
  const operations = shop.flatMap((resource) => resource.operations)
  const document = openapi(
    operations,
    shop.map((resource) => resource.noun),
    findNoun,
    '/v1',
  )
  const files = new Map([['openapi.json', asText(document)]])
  for (const resource of shop) {
    const tools = resource.operations.map((operation) => toolOf(operation, findNoun))
    files.set(`${resource.noun.name}.json`, asText(summary(resource, tools)))
  }
  return files
}

function summary({ noun }: Resource, operations: Tool[]) {
  const fields = Object.entries(noun.fields).map(([name, { spec }]) => {
    const writes = spec.write === 'never' ? {} : { write: spec.write, input: inputName(name, noun.fields[name]!) }
    return [name, { type: spec.type, nullable: spec.nullable, ...writes, description: spec.description }]
  })
  return { name: noun.name, prefix: noun.prefix, events: noun.events, fields: Object.fromEntries(fields), operations }
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
