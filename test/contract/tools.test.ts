import { describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import { resourceDocs } from '../../src/contract/documents/resource-docs.ts'
import { toolsOf } from '../../src/contract/documents/tools.ts'
import type { Tool } from '../../src/contract/values/catalogue-entry.ts'
import { Presenter } from '../../src/pipeline/present.ts'

const { shop } = PRODUCT

interface Parameter {
  name: string
  in: string
  schema: Record<string, unknown>
}
interface Body {
  properties: Record<string, Record<string, unknown>>
  required?: string[]
}
interface FieldDocs {
  [key: string]: unknown
}
interface Docs {
  [key: string]: unknown
  fields: Record<string, FieldDocs>
}

const { findNoun } = new Presenter(shop)
const operations = shop.flatMap((resource) => resource.operations)
const tools = toolsOf(operations, findNoun)
const resources = resourceDocs(operations, findNoun) as unknown as Record<string, Docs>

const tool = (method: string, path: string): Tool => tools.find((one) => one.method === method && one.path === path)!
const bodyOf = (one: Tool) => one.request_body as unknown as Body | null
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** What an agent read who asked for the discounts when every operation listed the fields, and lists had four filters. */
const BYTES_WITH_FIELD_LISTS = 8_418
/** A filter that came later, and is not compared. */
const LATER = tool('GET', '/discounts').parameters.find((one) => (one as { name?: string }).name === 'product')

describe('The rows of `tools`', () => {
  it('take at most two thirds of what they took with the fields listed in every operation', () => {
    const found = tools.filter(({ path }) => path.includes('discount'))
    expect(found).toHaveLength(5)
    expect(bytes(found) - bytes(LATER)).toBeLessThanOrEqual((BYTES_WITH_FIELD_LISTS * 2) / 3)
  })

  it('say what comes back rather than how it looks', () => {
    expect(tool('GET', '/customers').description).toBe('Returns a page of customers, newest first.')
    expect(tool('GET', '/tags').description).toBe('Returns a page of tags, by name, ignoring case.')
    expect(tool('GET', '/account').description).toBe('Returns an account.')
    expect(tool('DELETE', '/tags/{id}').description).toContain('Returns {id, object, deleted: true}.')
  })

  it('keep every name, value and bound that a call needs', () => {
    const { properties, required } = bodyOf(tool('POST', '/price_variants'))!
    expect(required).toEqual(['product_id'])
    expect(properties.trial_period_days).toMatchObject({ type: ['integer', 'null'], minimum: 1, maximum: 730 })
    expect(properties.recurring_interval!.enum).toEqual(['day', 'week', 'month', 'year', null])
    expect(properties.name).toMatchObject({ maxLength: 100, default: 'Default' })
    expect(bodyOf(tool('POST', '/discounts'))!.properties.code!.pattern).toBe('^[A-Za-z0-9_-]+$')
    const limit = (tool('GET', '/products').parameters as unknown as Parameter[]).find(({ name }) => name === 'limit')
    expect(limit!.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  })

  it('name every filter, and explain ranges once in each list', () => {
    for (const [index, { kind, query }] of operations.entries()) {
      if (kind !== 'list') continue
      const parameters = tools[index]!.parameters as unknown as (Parameter & { description: string })[]
      const explaining = parameters.filter(({ description }) => /inclusive.*null never match.*UTC/.test(description))
      expect(explaining.map(({ name }) => name)).toEqual(['created_at'])
      const named = [...parameters.map(({ name }) => name), ...explaining[0]!.description.match(/\w+/g)!]
      expect(named).toEqual(expect.arrayContaining(Object.keys(query)))
    }
  })

  it('explain each field of a body once: in the create, else in the change', () => {
    for (const [index, operation] of operations.entries()) {
      const create = operations.find(({ kind, noun }) => kind === 'create' && noun === operation.noun)
      for (const [name, schema] of Object.entries(bodyOf(tools[index]!)?.properties ?? {})) {
        if ('description' in schema) continue
        expect([operation.id, name, operation.kind]).toEqual([operation.id, name, 'update'])
        expect(tools[index]!.description).toContain(`Fields as in POST ${create!.path}.`)
        expect(bodyOf(tool('POST', create!.path))!.properties[name]).toHaveProperty('description')
      }
    }
    expect(bodyOf(tool('PATCH', '/price_variants/{id}'))!.properties.archived).toHaveProperty('description')
    expect(bodyOf(tool('PATCH', '/account'))!.properties.timezone).toHaveProperty('description')
  })
})

describe('`resources`', () => {
  it('has every resource that an operation answers or refers to', () => {
    for (const { noun } of operations) expect(resources).toHaveProperty(noun.name)
    for (const reached of ['experience', 'file']) expect(resources).toHaveProperty(reached)
  })

  it('says of each whole resource how it is found, listed, changed and reported', () => {
    expect(resources.product).toMatchObject({
      id_prefix: 'prod',
      slug: 'usable in place of the id',
      list_order: 'newest first',
      events: ['product.created', 'product.updated', 'product.deleted'],
      expand: ['price_variants.experiences', 'reviews'],
    })
    expect(resources.customer!.actions).toEqual(['POST /customers/{id}/tags'])
    expect(resources.account).not.toHaveProperty('list_order')
    expect(resources.account).not.toHaveProperty('slug')
  })

  it('says of a field what it counts, what null means and who writes it', () => {
    const { fields } = resources.price_variant!
    expect(fields.amount).toMatchObject({ type: 'integer', unit: 'minor units', writable: 'create, update' })
    expect(fields.quantity_available).toMatchObject({ unit: 'units', null: 'unlimited' })
    expect(fields.archived).toMatchObject({ writable: 'update' })
    expect(fields.purchase_url).not.toHaveProperty('writable')
    expect(fields.billing_type!.values).toEqual(['one_time', 'subscription', 'free'])
    expect(resources.account!.fields.default_currency).toMatchObject({ writable: 'update' })
    expect(resources.account!.fields.default_currency).not.toHaveProperty('default')
  })

  it('says of a structure what its properties mean, in each entry of a list too', () => {
    const weekday = 'Day of the week, from 1 for Monday to 7'
    expect(resources.social_best_times!.fields.slots!.properties).toMatchObject({ weekday })
    const likes = 'Number of likes'
    expect(resources.social_analytics!.fields.metrics!.properties).toMatchObject({ likes })
    expect(resources.social_analytics!.fields.by_platform!.properties).toMatchObject({ likes })
    expect(resources.customer!.fields.metadata).not.toHaveProperty('properties')
  })

  it('says of a reference what it holds, collapsed and expanded', () => {
    expect(resources.price_variant!.fields.product).toMatchObject({
      collapsed: 'id of a product',
      expanded: 'the whole product',
      written_as: 'product_id',
    })
    expect(resources.customer!.fields.tags).toMatchObject({ collapsed: 'ids of tags', expanded: 'whole tags' })
    expect(resources.product!.fields.price_variants).toMatchObject({ holds: 'whole price variants' })
    expect(resources.product!.fields.reviews).toMatchObject({ collapsed: 'not included', expanded: 'whole reviews' })
    expect(resources.discount!.fields.applies_to_product_ids).toMatchObject({ holds: 'ids of products' })
    expect(resources.blog_post!.fields.category).toMatchObject({ collapsed: 'slug of a blog category' })
  })

  it('says apart what a body may hold that answers do not', () => {
    const { status } = resources.discount!.fields
    expect(status!.values).toEqual(['active', 'inactive', 'scheduled', 'expired'])
    expect(status).not.toHaveProperty('writable')
    expect(status!.written).toMatchObject({ values: ['active', 'inactive'], writable: 'create, update' })
    expect(resources.product!.fields.media).toMatchObject({ shown: false, holds: 'ids of files' })
  })
})
