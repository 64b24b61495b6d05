import { html } from 'hono/html'
import type { Fields } from '../../../contract/declarations/field.ts'
import { WRITTEN } from '../../../resources/content/experience/experience.ts'
import { CONTENT_FIELDS, type ItemType } from '../../../resources/content/experience/written.ts'
import { crumbsBelow, crumbsOf } from '../derived/detail.ts'
import { formOf } from '../derived/form.ts'
import { formPage } from '../derived/form-page.ts'
import { readBody } from '../derived/read-form.ts'
import { framed, goDone } from '../kit/answers.ts'
import { keyOf, type RefusedForm, refusedForm, shown, type Values } from '../kit/call.ts'
import { type DashboardContext, type DashboardPage, view } from '../kit/visit.ts'
import { nameOf, valueTitle } from '../kit/words.ts'

/** Large enough for the longest text of an experience, if each character takes nine bytes: three bytes of UTF-8, percent-encoded. */
const FORM_BYTES = 2 * 1024 * 1024

const KINDS: Record<ItemType, string> = {
  course: 'Chapters with lessons: texts and videos.',
  download: 'Files that buyers can download.',
  written_content: 'A text that only buyers can read.',
  embed: 'A page on another service.',
  link: 'Links to pages that you share with buyers.',
  discord: 'A place in your Discord server.',
  telegram: 'Telegram chats that buyers can join.',
  event: 'Events with dates and a place to join.',
  forum: 'A space where members talk to each other.',
}

function kindOf(given: string | null): ItemType | null {
  return given !== null && Object.hasOwn(KINDS, given) ? (given as ItemType) : null
}

function fieldsOf(kind: ItemType): Fields {
  const { slug, ...first } = WRITTEN
  return { ...first, ...CONTENT_FIELDS[kind], slug }
}

/** Asks for the type of the experience first, because each type has its own fields. */
function kindsPage(visit: DashboardContext): Promise<Response> {
  const kinds = Object.entries(KINDS).map(
    ([kind, words]) =>
      html`<li><a class="kind" href="${visit.path}?kind=${kind}"><strong>${valueTitle(kind)}</strong><span>${words}</span></a></li>`,
  )
  const options = {
    title: 'New experience',
    crumbs: crumbsOf(visit, things(visit)),
    lead: 'What do buyers get access to?',
  }
  return framed(visit, options, html`<ul class="kinds">${kinds}</ul>`)
}

async function newPage(visit: DashboardContext, kind: ItemType, refused: RefusedForm | null): Promise<Response> {
  const content = await formOf(visit, {
    fields: fieldsOf(kind),
    before: null,
    refused,
    button: 'Create experience',
    back: `${visit.base}/experiences`,
    above: html`<input type="hidden" name="item_type" value="${kind}">`,
  })
  const title = `New experience: ${valueTitle(kind).toLowerCase()}`
  const crumbs = crumbsOf(visit, things(visit))
  return framed(visit, { title, crumbs, lead: KINDS[kind], status: refused?.status }, content)
}

const create = formPage({
  path: '/experiences/new',
  formBytes: FORM_BYTES,
  show: async (visit, _, refused) => {
    const kind = kindOf(refused ? refused.sent.get('item_type') : visit.query.get('kind'))
    return kind ? newPage(visit, kind, refused) : kindsPage(visit)
  },
  take: async (visit, _, form) => {
    const kind = kindOf(form.get('item_type'))
    if (!kind) return kindsPage(visit)
    const body = { ...readBody(visit, fieldsOf(kind), form, null), item_type: kind }
    const answer = await visit.call('POST /experiences', { body, key: keyOf(form) })
    return refusedForm(form, answer) ?? goDone(visit, `${visit.base}/experiences/${answer.body.id}`, 'created')
  },
})

const edit = formPage({
  path: '/experiences/:id/edit',
  formBytes: FORM_BYTES,
  show: (visit, { id }, refused) => editPage(visit, id, refused),
  take: async (visit, { id }, form) => {
    const { kind, before } = await withContent(visit, id)
    const body = readBody(visit, fieldsOf(kind), form, before)
    const answer = await visit.call('PATCH /experiences/{id_or_slug}', { path: { id_or_slug: id }, body })
    return refusedForm(form, answer) ?? goDone(visit, `${visit.base}/experiences/${answer.body.id}`, 'saved')
  },
})

async function editPage(visit: DashboardContext, id: string, refused: RefusedForm | null): Promise<Response> {
  const { kind, before } = await withContent(visit, id)
  const content = await formOf(visit, {
    fields: fieldsOf(kind),
    before,
    refused,
    button: 'Save',
    back: `${visit.base}/experiences/${id}`,
  })
  const crumbs = crumbsBelow(visit, things(visit), before)
  return framed(visit, { title: `Edit ${nameOf(before)}`, crumbs, status: refused?.status }, content)
}

/** Returns an experience with its content flattened into fields, as the form for editing needs it. */
async function withContent(visit: DashboardContext, id: string): Promise<{ kind: ItemType; before: Values }> {
  const values = await shown(visit.call('GET /experiences/{id_or_slug}', { path: { id_or_slug: id } }))
  return { kind: values.item_type, before: { ...values.content, ...values } }
}

function things(visit: DashboardContext) {
  return visit.catalogue.known('experience')
}

export const experiencePages: DashboardPage[] = [create, edit]

export const experienceView = view('experience', {
  columns: ['name', 'item_type', 'access_type', 'created_at'],
  lead: 'What buyers get access to. Add them to the prices of your products.',
  labels: { access_type: 'Access', item_type: 'Kind' },
})
