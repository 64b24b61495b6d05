import { html } from 'hono/html'
import type { Fields } from '../../../contract/declarations/field.ts'
import { rolesWith } from '../../../contract/declarations/role-rights.ts'
import { listed } from '../../../format/lists.ts'
import type { BodyFields, OperationName } from '../../../resources/operation-types.ts'
import { factCard, type Page } from '../../parts/markup.ts'
import { formOf } from '../derived/form.ts'
import { formPage } from '../derived/form-page.ts'
import { readBody } from '../derived/read-form.ts'
import { goDone } from '../kit/answers.ts'
import { type Answer, type RefusedForm, refusedForm, shown, type Values } from '../kit/call.ts'
import type { Op } from '../kit/catalogue.ts'
import { shownValue } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, type FormView, mayCall } from '../kit/visit.ts'
import { fieldTitle } from '../kit/words.ts'
import { settingsPage } from './tabs.ts'

interface SettingsForm<Name extends OperationName, Settings extends Values>
  extends Pick<DashboardPage, 'path' | 'see' | 'send'> {
  title: string
  lead: string
  operation: Name
  read(visit: DashboardContext): Promise<Answer<Settings>>
  change(visit: DashboardContext, body: object): Promise<Answer<Settings>>
  view?: FormView<keyof BodyFields<Name> & string>
  /** Whether the form has only the fields that the view names, because another page has the others. */
  partly?: true
  below?(visit: DashboardContext, values: Settings): Page
  /** Returns a sentence about the current values, or null. */
  note?(values: Values): string | null
  /** Returns the address to show after a change; by default the page itself. */
  next?(visit: DashboardContext, changed: Settings): string
}

/** Builds a settings page with a form for the fields in the body of an operation. */
export function settingsForm<Name extends OperationName, Settings extends Values>(
  settings: SettingsForm<Name, Settings>,
): DashboardPage {
  const { path, see, send, operation, next } = settings
  return formPage({
    path,
    ...(see && { see }),
    ...(send && { send }),
    show: (visit, _, refused) => page(visit, settings, refused),
    take: async (visit, _, form) => {
      const before = await shown(settings.read(visit))
      const fields = fieldsOf(settings, visit.catalogue.bodyOf(operation))
      const answer = await settings.change(visit, readBody(visit, fields, form, before))
      return refusedForm(form, answer) ?? goDone(visit, `${next?.(visit, answer.body) ?? visit.base + path}`, 'saved')
    },
  })
}

async function page<Name extends OperationName, Settings extends Values>(
  visit: DashboardContext,
  settings: SettingsForm<Name, Settings>,
  refused: RefusedForm | null,
): Promise<Response> {
  const { title, lead, view } = settings
  const operation = visit.parts.pipeline.operations.find(
    ({ method, path }) => `${method} ${path}` === settings.operation,
  )!
  const values = await shown(settings.read(visit))
  if (!mayCall(visit, operation)) return shownOnly(visit, settings, { operation, values, status: refused?.status })
  const content = await formOf(visit, {
    fields: fieldsOf(settings, operation.body!),
    before: values,
    refused,
    button: 'Save',
    back: visit.path,
    view,
  })
  const note = settings.note?.(values) ?? null
  const noted = note === null ? content : html`<p class="notice" role="status">${note}</p>${content}`
  const below = settings.below?.(visit, values) ?? html``
  return settingsPage(visit, { title, lead, status: refused?.status }, html`${noted}${below}`)
}

function fieldsOf({ partly, view }: { partly?: true; view?: FormView }, fields: Fields): Fields {
  if (!partly) return fields
  const names = new Set(view?.groups?.flatMap((group) => [...group.names]))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))
}

async function shownOnly(
  visit: DashboardContext,
  { title, lead, view, partly }: { title: string; lead: string; view?: FormView; partly?: true },
  { operation: { body, needs }, values, status = 200 }: { operation: Op; values: Values; status: number | undefined },
): Promise<Response> {
  const lines = Object.entries(fieldsOf({ ...(partly && { partly }), ...(view && { view }) }, body!)).map(
    ([name, field]) =>
      [view?.labels?.[name] ?? fieldTitle(name), shownValue({ visit, field, name, values, room: 'line' })] as const,
  )
  const who = html`<p class="notice" role="status">Only people with the role ${listed(rolesWith(needs), 'or')} can change this.</p>`
  return settingsPage(visit, { title, lead, status }, html`${who}${factCard(title, lines)}`)
}
