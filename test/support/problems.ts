import { type Control, controlsOf } from './repeated-rows.ts'
import { words } from './words.ts'

/** Values that few controls take. */
export const WRONG = ['-1', 'not-a-value', '99999999999999999999', '1.5', '', '\u0000', `${'x'.repeat(9_000)}`]

/** Words of programs, besides what people wrote themselves and is quoted. */
const OF_THE_API =
  /ISO \d|must be one of|is not an? (id|integer|URL)|\bparam|\bnull\b|\bstring\b|\binteger\b|\bobject\b|\barray\b|\b[a-z]+_[a-z]+\b|\/\w+\/\d/

/** A form of a page that somebody can fill in, with where it is sent. */
export interface FormOnPage {
  to: string
  html: string
  controls: Control[]
}

/** The forms of a page that have anything to fill in. */
export function formsOn(path: string, html: string): FormOnPage[] {
  const own = path.replace(/\?.*/, '')
  const all = [...html.matchAll(/<form\b([^>]*)>[\s\S]*?<\/form>/g)].filter(([, head]) =>
    head!.includes('method="post"'),
  )
  return all
    .map(([form, head]) => ({
      to: / action="([^"]*)"/.exec(head!)?.[1] ?? own,
      html: form,
      controls: controlsOf(form),
    }))
    .filter(({ controls }) => controls.length > 0)
}

/** The summary of a page: the fields it leads to, and what it says of each. */
export function problemsIn(html: string): [field: string | null, message: string][] {
  const [, list = ''] = /id="problems">([\s\S]*?)<\/ul>/.exec(html) ?? []
  return [...list.matchAll(/<li>(?:<a href="#([^"]+)">)?([\s\S]*?)<\/li>/g)].map(([, field, message]) => [
    field ?? null,
    words(message!).trim(),
  ])
}

/** The faults in how a page says problems. */
export function faultsOf(html: string): string[] {
  const notices = [...html.matchAll(/<(p|div) class="(?:problem|notice bad)"[^>]*>([\s\S]*?)<\/\1>/g)]
  const said = [
    ...problemsIn(html).map(([, message]) => message),
    ...notices.map(([, , message]) => words(message!).trim()),
  ]
  const lost = problemsIn(html).filter(([field]) => field !== null && !html.includes(`id="${field}"`))
  return [
    ...said.filter((message) => OF_THE_API.test(message.replaceAll(/“[^”]*”/g, ''))),
    ...lost.map(([field, message]) => `${message} leads nowhere: ${field}`),
  ]
}
