import { invalid } from '../contract/errors.ts'
import { integer, text } from '../contract/kinds.ts'
import { type Changes, type CreateInput, noun, type Row } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import type { Order } from '../records/page.ts'
import { changeRow, deleteRow, insertRow } from '../records/records.ts'
import { resource } from '../records/resource.ts'
import type { TableOf } from '../records/tables.ts'
import { Existing, search, verbs } from '../records/verbs.ts'
import { countByTag, detachTag } from './customer/tags.ts'

export const Tag = noun('tag', {
  prefix: 'tag',
  tag: 'Tags',
  description: 'A word that groups customers.',
  searchable: ['name'],
  fields: {
    name: text('The word; unique in the account, whatever its case', { max: 50, example: 'VIP' }).required(),
    color: text('How it is shown', {
      pattern: /^#[0-9a-fA-F]{6}$/,
      says: 'must be a colour like #1f6feb',
      example: '#1f6feb',
    }).nullable(),
    customers_count: integer('How many customers carry it', { min: 0, example: 3 }).derived(),
  },
})

declare module '../records/tables.ts' {
  interface Tables {
    /** `name_key` is the name in lower case: what makes it unique and what it is sorted by. */
    tags: TableOf<typeof Tag> & { name_key: string; search_text: string }
  }
}

type TagRow = Row<typeof Tag>

const BY_NAME: Order = { key: 'name_key', direction: 'asc' }
const { list, create, retrieve, update, remove } = verbs(Tag)

export const tags = resource(Tag, {
  derive: async (rows, context) => {
    const counts = await countByTag(
      context,
      rows.map((row) => row.id),
    )
    return rows.map((row) => ({ customers_count: counts.get(row.id) ?? 0 }))
  },
  operations: [
    list({
      summary: 'List tags',
      about: 'In the order of their names.',
      order: BY_NAME,
      filters: { query: search('Part of the name') },
    }),
    create({
      summary: 'Create a tag, or return the one of that name',
      about: 'Names differ by more than case. Answers 200 with the existing tag where there is one.',
      findsExisting: true,
      run: async (context, input) => {
        const existing = await tagNamed(context, input.name)
        return existing ? new Existing<typeof Tag>(existing) : createTag(context, input)
      },
    }),
    retrieve({ summary: 'Show one tag' }),
    update({ summary: 'Rename or recolour a tag', run: changeTag }),
    remove({
      summary: 'Delete a tag and detach it everywhere',
      run: async (context, tag) => {
        await detachTag(context, tag.id)
        await deleteRow(context, Tag, tag, { name_key: keyOf(tag.name) })
      },
    }),
  ],
})

export function createTag(context: Context, input: CreateInput<typeof Tag>): Promise<TagRow> {
  return insertRow(context, Tag, input, { name_key: keyOf(input.name) })
}

/** The tag of a name, whatever its case. */
export async function tagNamed(context: Context, name: string): Promise<TagRow | undefined> {
  const query = context.db.selectFrom('tags').selectAll().where('account_id', '=', context.accountId)
  return query.where('name_key', '=', keyOf(name)).executeTakeFirst()
}

async function changeTag(context: Context, tag: TagRow, changes: Changes<typeof Tag>): Promise<TagRow> {
  if (changes.name === undefined) return changeRow(context, Tag, tag, changes)
  const holder = await tagNamed(context, changes.name)
  if (holder && holder.id !== tag.id) throw invalid({ name: ['has already been taken'] })
  return changeRow(context, Tag, tag, changes, { name_key: keyOf(changes.name) })
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
