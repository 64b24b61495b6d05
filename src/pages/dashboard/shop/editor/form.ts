import { html } from 'hono/html'
import type { Fields } from '../../../../contract/declarations/field.ts'
import type { BodyFields } from '../../../../resources/operation-types.ts'
import { describedBy, field, type Page, summaryOf } from '../../../parts/markup.ts'
import { dropPlace, filesInput } from '../../derived/file-inputs.ts'
import { sentFiles } from '../../derived/file-order.ts'
import { inputId } from '../../derived/part-words.ts'
import { keyField, type Refusal, refusalOf } from '../../kit/call.ts'
import { isPicture, pickOf, type ShownFile } from '../../kit/pictures.ts'
import { previewPart } from '../../kit/preview.ts'
import type { DashboardContext } from '../../kit/visit.ts'
import { codePart } from './code-part.ts'
import { type Sheet, sheetInput, type WordsOf } from './inputs.ts'
import { priceRows } from './price-row.ts'
import { ALT } from './rows.ts'

const PICTURES: FileList = {
  name: 'media',
  label: 'Pictures and videos',
  hint: 'The first picture is the cover, shown in shop lists and shared links. Use the arrows to change the order.',
  accept: 'image/*,video/*',
}

const DOWNLOADS: FileList = {
  name: 'downloads',
  label: 'Files',
  hint: 'Whoever buys one of the prices can download them.',
  accept: '',
}

export interface Editor extends Sheet {
  product: { id: string; status: string; name: string } | null
  unsaved: boolean
  refusal: Refusal | null
}

type ProductField = keyof BodyFields<'POST /products'> & string

const WORDS = {
  name: { label: 'Name' },
  description: { label: 'Description', hint: 'In a few sentences, next to the pictures.', optional: true },
  body_html: { label: 'Page text', optional: true },
  available_from: { label: 'Sold from', hint: 'Leave empty to start now.', optional: true },
  available_until: { label: 'Sold until', hint: 'Leave empty for no end.', optional: true },
  slug: { label: 'Slug', hint: 'Leave empty to create it from the name.', optional: true },
  button_cta: { label: 'Buy button text', optional: true },
  seo_title: { label: 'Title for search engines', optional: true },
  seo_description: { label: 'Description for search engines', optional: true },
  tax_code: { label: 'Tax code', optional: true },
  metadata: {
    label: 'Metadata',
    hint: 'For your own programs. One per line, such as campaign: spring.',
    optional: true,
  },
} satisfies WordsOf<ProductField>

export const PRODUCT_LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(WORDS).map(([name, { label }]) => [name, label])),
  media: PICTURES.label,
}

const BASICS = ['name', 'description'] as const satisfies readonly (keyof typeof WORDS)[]
const PAGE = [
  'slug',
  'button_cta',
  'seo_title',
  'seo_description',
  'available_from',
  'available_until',
  'tax_code',
  'metadata',
] as const satisfies readonly (keyof typeof WORDS)[]

export const PRODUCT_FIELDS: readonly ProductField[] = [...BASICS, 'media', 'body_html', ...PAGE]

export interface EditorFields {
  product: Fields
  price: Fields
  discount: Fields
}

export async function editorPage(editor: Editor, fields: EditorFields): Promise<Page> {
  const { visit, product, problems, form, refusal, unsaved } = editor
  const inputs = (names: readonly (keyof typeof WORDS)[]) =>
    Promise.all(names.map((name) => sheetInput(editor, fields.product[name], name, WORDS[name])))
  const [basics, text, prices, pictures, texts, downloads, code, page] = [
    await inputs(BASICS),
    await inputs(['body_html']),
    await priceRows(editor, fields.price),
    await filePart(editor, PICTURES),
    await alternativeTexts(editor),
    await filePart(editor, DOWNLOADS),
    await codePart(editor, fields.discount, product?.id ?? null),
    await inputs(PAGE),
  ]
  const preview = `${visit.base}/products/preview${product ? `?product=${encodeURIComponent(product.id)}` : ''}`
  const isWrong = PAGE.some((name) => problems.some(({ field }) => field === inputId(name)))
  return html`${summaryOf(problems)}<div class="with-preview" data-controller="preview" data-preview-address-value="${preview}">
<form class="card form" method="post" action="${visit.path}" data-preview-target="form" data-controller="unsaved" data-unsaved-dirty-value="${unsaved}" data-action="input->unsaved#typed change->unsaved#typed input->preview#typed change->preview#typed submit->unsaved#sent turbo:submit-end->unsaved#answered">
<button class="unseen" tabindex="-1" aria-hidden="true" name="do" value="${product ? 'save' : 'draft'}">Save</button>
<input type="hidden" name="csrf" value="${visit.csrf}">${keyField(unsaved ? form : null, refusal)}
${basics}
<section class="editor-part" data-part="prices" aria-labelledby="part-prices"><h2 id="part-prices">Prices</h2>${prices}</section>
${code}
<section class="editor-part" data-part="media" aria-labelledby="part-pictures"><h2 id="part-pictures">Pictures</h2>${pictures}${texts}</section>
<div class="editor-part">${text}</div>
<details class="editor-part" data-part="downloads"${form.has('downloads') && form.getAll('downloads').some(Boolean) ? html` open` : ''}><summary>Downloads for buyers</summary>${downloads}</details>
<details class="editor-part"${isWrong ? html` open` : ''}><summary>Availability, address and search engines</summary>${page}</details>
${buttons(editor, preview)}
</form>
${previewPart(preview, 'The product’s page, as buyers see it')}</div>`
}

function buttons({ product, visit }: Editor, preview: string): Page {
  const back = product ? `${visit.base}/products/${product.id}` : `${visit.base}/products`
  const ways =
    product?.status === 'active'
      ? html`<button class="primary" name="do" value="save">Save</button>`
      : html`<button class="primary" name="do" value="publish">Save and publish</button><button name="do" value="${product ? 'save' : 'draft'}">${product ? 'Save' : 'Save draft'}</button>`
  return html`<div class="form-buttons editor-buttons">${ways}<button name="do" value="preview" formaction="${preview}" formtarget="preview" formnovalidate data-preview-target="button">Preview</button><a class="button quiet" href="${back}">Cancel</a></div>`
}

interface FileList {
  name: 'media' | 'downloads'
  label: string
  hint: string
  accept: string
}

async function filePart(sheet: Sheet, { name, label, hint, accept }: FileList): Promise<Page> {
  const { visit, form, problems } = sheet
  const id = inputId(name)
  const text = sentFiles(form, name).join('\n')
  const described = describedBy(id, hint, problems)
  const any = name === 'downloads' ? { fits: () => true } : {}
  const input = await filesInput(visit, { name, id, text, described, label, sent: form, ...any })
  return html`${dropPlace(visit, name, accept)}${field({ id, label, hint, problems, input: () => input })}`
}

async function alternativeTexts({ visit, form }: Sheet): Promise<Page> {
  const files = (await chosenFiles(visit, form)).filter(isPicture)
  if (files.length === 0) return html``
  const lines = files.map((file, index) => {
    const id = inputId(ALT + file.id)
    const text = form.get(ALT + file.id) ?? file.alternative_text ?? ''
    return html`<li><img src="${file.file_url}" alt="" loading="lazy" decoding="async" width="48" height="48"><label for="${id}"><span class="unseen">What picture ${index + 1}, ${pickOf(file).words}, shows</span></label><input id="${id}" name="${ALT + file.id}" value="${text}" maxlength="1000" placeholder="What this picture shows"></li>`
  })
  return html`<p class="label">Alternative texts</p><p class="hint">For people who cannot see the pictures, and for search engines.</p><ol class="alt-texts">${lines}</ol>`
}

async function chosenFiles(visit: DashboardContext, form: URLSearchParams): Promise<ShownFile[]> {
  const ids = sentFiles(form, 'media').slice(0, 50)
  const answers = await Promise.all(ids.map((id) => visit.call('GET /files/{id}', { path: { id } })))
  return answers.flatMap((answer) => (refusalOf(answer) ? [] : [answer.body]))
}
