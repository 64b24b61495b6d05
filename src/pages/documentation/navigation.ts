import { html } from 'hono/html'
import type { Page } from '../parts/markup.ts'
import type { Book } from './book.ts'
import { grouped, groupTitle, operationPath, resourcePath, resourceTitle } from './catalogue.ts'

/** All pages at the side of each: guides by chapter, then the reference by group. The group of the page is open. */
export function navigation({ guides, catalogue }: Book, current: string): Page {
  const link = (path: string, title: string) =>
    html`<li><a href="${path}"${path === current ? html` aria-current="page"` : ''}>${title}</a></li>`
  const chapters = [...Map.groupBy(guides, ({ chapter }) => chapter)].map(
    ([chapter, own]) => html`<h2>${chapter}</h2><ul>${own.map(({ path, title }) => link(path, title))}</ul>`,
  )
  const groups = [...grouped(catalogue.operations)].map(([group, own]) => {
    const resources = [...new Set(own.map(({ noun }) => noun.name))]
    const isOpen =
      own.some(({ id }) => operationPath(id) === current) || resources.some((name) => resourcePath(name) === current)
    return html`<details${isOpen ? html` open` : ''}><summary>${groupTitle(group)}</summary><ul>${resources.map(
      (name) => link(resourcePath(name), resourceTitle(name)),
    )}${own.map(({ id, summary }) => link(operationPath(id), summary))}</ul></details>`
  })
  return html`${chapters}<h2>Reference</h2><ul>${link('/docs/api', 'All operations')}</ul>${groups}`
}
