import { html } from 'hono/html'
import type { Fields } from '../../../../contract/declarations/field.ts'
import type { BodyFields } from '../../../../resources/operation-types.ts'
import { type Page, summaryOf } from '../../../parts/markup.ts'
import { inputId } from '../../derived/part-words.ts'
import { keyField, type Refusal } from '../../kit/ask.ts'
import { previewPart } from '../../kit/copy.ts'
import { codePart } from './code-part.ts'
import { alternativeTexts, DOWNLOADS, filePart, PICTURES } from './gallery-part.ts'
import { type Sheet, sheetInput, type WordsOf } from './inputs.ts'
import { priceRows } from './price-row.ts'

/** Everything that the editor shows. */
export interface Editor extends Sheet {
  /** The product as it is; null for a new one. */
  product: { id: string; status: string; name: string } | null
  /** The form holds words that nothing keeps yet. */
  unsaved: boolean
  refusal: Refusal | null
}

/** The fields that a new product takes. */
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

/** The fields of a product that the editor shows. */
export const PRODUCT_FIELDS: readonly ProductField[] = [...BASICS, 'media', 'body_html', ...PAGE]

export interface EditorFields {
  product: Fields
  price: Fields
  discount: Fields
}

/** The whole editor: the form, and the page that it makes next to it. */
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

/** What saving does, by the state that the product is in. */
function buttons({ product, visit }: Editor, preview: string): Page {
  const back = product ? `${visit.base}/products/${product.id}` : `${visit.base}/products`
  const ways =
    product?.status === 'active'
      ? html`<button class="primary" name="do" value="save">Save</button>`
      : html`<button class="primary" name="do" value="publish">Save and publish</button><button name="do" value="${product ? 'save' : 'draft'}">${product ? 'Save' : 'Save draft'}</button>`
  return html`<div class="form-buttons editor-buttons">${ways}<button name="do" value="preview" formaction="${preview}" formtarget="preview" formnovalidate data-preview-target="button">Preview</button><a class="button quiet" href="${back}">Cancel</a></div>`
}
