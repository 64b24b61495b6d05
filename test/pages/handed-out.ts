import type { Noun } from '../../src/contract/declarations/noun.ts'
import { expandableNames } from '../../src/contract/documents/describe.ts'
import type { Body, Shop } from '../support/shop.ts'

/** An address of the service in an answer of the API. */
export interface HandedOut {
  url: string
  /** `product.url` */
  field: string
  /** What opening it must answer. */
  status: number
}

/** Addresses that take what others send, so that GET is not for them. */
const TAKING = new Set(['file.upload_url', 'event_source.ingest_url'])

/** Every address of the service in every list of the API, expanded as far as it goes. */
export async function handedOut(shop: Shop): Promise<HandedOut[]> {
  const found = new Map<string, HandedOut>()
  const products = await everyRow(shop, '/products')
  const onSale = new Set<string>(products.flatMap(({ id, status }) => (status === 'active' ? [id] : [])))
  const keep = (rows: readonly Body[]) => {
    for (const { url, field, owner } of rows.flatMap((row) => [...addressesIn(shop, row, row)]))
      if (!TAKING.has(field)) found.set(url, { url, field, status: statusOf(owner, onSale) })
  }
  for (const { path, kind, answersList, expandable, noun } of shop.operations) {
    if (!answersList || path.includes('{')) continue
    const names = expandable ? expandableNames(noun, shop.running.app.pipeline.presenter.findNoun) : []
    const rows = kind === 'list' ? await everyRow(shop, path, names.join(',')) : (await shop.get(path)).data
    keep(rows)
    keep(await retrieved(shop, noun, rows))
  }
  keep([await openCheckout(shop), await shop.get('/account')])
  return [...found.values()]
}

/** The fields that are declared to hold such addresses. */
export function servedFields(shop: Shop): string[] {
  const nouns = [...shop.running.app.pipeline.nouns]
  return nouns.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { spec }]) => (spec.served ? [`${name}.${field}`] : [])),
  )
}

async function everyRow(shop: Shop, path: string, expand = ''): Promise<Body[]> {
  const rows: Body[] = []
  for (let after = ''; ; after = `&starting_after=${rows.at(-1).id}`) {
    const { data, has_more } = await shop.get(`${path}?limit=100${expand && `&expand=${expand}`}${after}`)
    rows.push(...data)
    if (!has_more || data.length === 0 || data.at(-1).id === undefined) return rows
  }
}

/** A few rows of a list by themselves, where that shows addresses that the list leaves out. */
async function retrieved(shop: Shop, noun: Noun, rows: readonly Body[]): Promise<Body[]> {
  const left = (row: Body) => Object.entries(noun.fields).some(([name, { spec }]) => spec.served && row[name] === null)
  const retrieve = shop.operations.find((one) => one.kind === 'retrieve' && one.noun === noun)
  const some = retrieve ? rows.filter(left).slice(0, 3) : []
  return Promise.all(some.map(({ id }) => shop.get(retrieve!.path.replace(/\{\w+\}/, id))))
}

/** No list has open checkouts. */
async function openCheckout(shop: Shop): Promise<Body> {
  const { data } = await shop.get('/products?status=active')
  const price = data.flatMap((product: Body) => product.price_variants)[0]
  return shop.post('/checkouts', { line_items: [{ price_variant: price.id }] })
}

interface Found {
  url: string
  field: string
  /** The nearest resource around it. */
  owner: Body
}

/** Wherever in a resource they are. */
function* addressesIn(shop: Shop, value: Body, owner: Body, name = ''): Generator<Found> {
  if (typeof value === 'string') {
    if (value.startsWith(`${shop.running.url}/`)) yield { url: value, field: `${owner.object}.${name}`, owner }
  } else if (value !== null && typeof value === 'object') {
    const nearest = typeof value.object === 'string' ? value : owner
    for (const [key, inner] of Object.entries(value))
      yield* addressesIn(shop, inner, nearest, Array.isArray(value) ? name : key)
  }
}

/** What is not published is as unknown; what can no longer be bought, paid or answered is gone. */
function statusOf(owner: Body, onSale: ReadonlySet<string>): number {
  const { object, status, published, active } = owner
  if (object === 'form' && status === 'archived') return 410
  if (['draft', 'scheduled', 'archived'].includes(status) || published === false || active === false) return 404
  return ['void', 'expired', 'abandoned'].includes(status) || isOffSale(owner, onSale) ? 410 : 200
}

function isOffSale({ object, archived, quantity_available, product }: Body, onSale: ReadonlySet<string>): boolean {
  if (object !== 'price_variant') return false
  return archived || quantity_available === 0 || !onSale.has(product.id ?? product)
}
