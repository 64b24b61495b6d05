import { z } from 'zod'
import { longText, oneOf, references, structure, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'
import { slugField } from '../../../contract/declarations/slug.ts'

const ITEM_TYPES = [
  'course',
  'download',
  'written_content',
  'embed',
  'link',
  'discord',
  'telegram',
  'event',
  'forum',
] as const

const STRING = { type: 'string' }
const NULLABLE_STRING = { type: ['string', 'null'] }
const INTEGER = { type: 'integer' }
const TITLED = { id: STRING, title: STRING, position: INTEGER }
const LESSON = {
  ...TITLED,
  content_html: NULLABLE_STRING,
  video_url: NULLABLE_STRING,
  duration_seconds: { type: ['integer', 'null'] },
}

/** The JSON Schema of `Contents`. In responses, expanded files are objects. */
const CONTENT = {
  type: 'object',
  properties: {
    chapters: listOf({ ...TITLED, lessons: listOf(LESSON) }),
    files: { type: 'array', items: { type: ['string', 'object'] } },
    title: STRING,
    body_html: STRING,
    url: STRING,
    links: listOf({ title: STRING, url: STRING }),
    server_name: STRING,
    role_names: { type: 'array', items: STRING },
    invite_url: NULLABLE_STRING,
    chats: listOf({ title: STRING, invite_url: NULLABLE_STRING }),
    sessions: listOf({ starts_at: STRING, ends_at: STRING, title: STRING, url: STRING }),
    layout: STRING,
    topics: { type: 'array', items: {} },
  },
}

function listOf(properties: object) {
  return { type: 'array', items: { type: 'object', properties } }
}

const NAME = text('Name shown to buyers', { max: 100, example: 'Ruby course' })
const DESCRIPTION = longText('Description', 5000).nullable('none')
const ACCESS = oneOf(['secret', 'open'], 'secret: for buyers only; open: for everyone')
const TYPE = oneOf(ITEM_TYPES, 'Kind of content')

/** The fields of every experience; `CONTENT_FIELDS` has those of its content. */
export const WRITTEN = {
  name: NAME.required(),
  description: DESCRIPTION,
  access_type: ACCESS.default('secret'),
  slug: slugField('End of its address. Absent: made from the name'),
}

/** The item_type never changes after the creation. */
export const WRITTEN_ONCE = { item_type: TYPE.required() }

export const Experience = noun('experience', {
  prefix: 'exp',
  group: 'Experiences',
  area: 'content',
  description: 'Something that buyers get access to, such as a course, a download or a membership; read-only.',
  gist: 'courses, downloads, access',
  foundBy: ['name', 'slug'],
  slug: true,
  events: ['created', 'updated', 'deleted'],
  eventsStayInside: true,
  fields: readOnly({
    name: NAME,
    slug: slugField('Name in URLs, usable in place of the id'),
    description: DESCRIPTION,
    access_type: ACCESS,
    item_type: TYPE,
    content: structure(
      'object',
      z.record(z.string(), z.unknown()),
      'By item_type. course: chapters with lessons, whose content_html lists leave out; download: files; written_content: title, body_html; embed: url; link: links; discord: server_name, role_names, invite_url; telegram: chats with invite_url; event: sessions; forum: layout, topics',
      { url: 'https://example.com' },
      { json: CONTENT },
    )
      .long()
      .holding({ files: 'file' }),
    products: references('product', 'Products with a price that includes it').derived().expandable(),
  }),
})

export type ExperienceRow = Row<typeof Experience>
