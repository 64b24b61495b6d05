import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Resource } from '../../src/records/resource.ts'
import { engines } from '../database/engines.ts'
import { openSmallShop, type SmallShop } from '../support/small-shop.ts'

const ROOT = new URL('../../', import.meta.url)
const RECORDS = { equals: 'filters', changeRow: 'records', insertRow: 'records', resource: 'resource', verbs: 'verbs' }

let shop: SmallShop
let directory: string

beforeAll(async () => {
  const text = await readFile(new URL('CONTRIBUTING.md', ROOT), 'utf8')
  const section = text.slice(text.indexOf('## A whole operation'))
  const [noun, operations, lines] = [...section.matchAll(/(?:^ {4}.*\n|^\n)+/gm)]
    .map(([block]) => block.replaceAll(/^ {4}/gm, ''))
    .filter((block) => block.trim() !== '')
  const imports = Object.entries(RECORDS).map(([name, file]) => `import { ${name} } from '../../../records/${file}.ts'`)
  const source = [...imports, noun, operations].join('\n').replaceAll('../../../', new URL('src/', ROOT).pathname)
  directory = await mkdtemp(join(tmpdir(), 'operation-'))
  await writeFile(join(directory, 'operations.ts'), source)
  const { parcels } = (await import(join(directory, 'operations.ts'))) as { parcels: Resource }
  const sql = lines!.slice(lines!.indexOf('create table'))
  shop = await openSmallShop(engines[0]!, [parcels], sql)
})
afterAll(async () => {
  await shop.close()
  await rm(directory, { recursive: true })
})

it('The operation that CONTRIBUTING.md shows does what it says', async () => {
  const created = await shop.call('POST', '/parcels', { label: 'Books' })
  expect(created).toMatchObject({
    status: 201,
    body: { object: 'parcel', status: 'packed', allowed_actions: ['send'] },
  })
  const { id } = created.body as { id: string }
  const packed = await shop.call('GET', '/parcels', undefined, { query: { status: 'packed' } })
  expect(packed).toMatchObject({ status: 200, body: { data: [{ id }] } })
  const refused = await shop.call('POST', `/parcels/${id}/send`)
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } })
})
