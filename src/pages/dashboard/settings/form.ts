import { html } from 'hono/html'
import type { Operation } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { factCard } from '../../parts/facts.ts'
import { formOf } from '../derived/form.ts'
import { readBody } from '../derived/read-form.ts'
import { shown, type Values } from '../kit/ask.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import { type Refused, refusedForm } from '../kit/refused.ts'
import { shownValue } from '../kit/value.ts'
import { type FormView, mayCall, type Visit } from '../kit/visit.ts'
import { fieldTitle } from '../kit/words.ts'
import { settingsPage } from './tabs.ts'

interface SettingsForm {
  path: string
  title: string
  lead: string
  /** The operation that changes them, by its id. */
  operation: string
  /** Where they are read and changed. */
  resource: string
  /** How its fields are laid out and called. */
  view?: FormView
  /** The address after a change; the page itself when absent. */
  next?(visit: Visit, changed: Values): string
}

/** A page of settings that is a form of what an operation changes. */
export function settingsForm(settings: SettingsForm): DashboardPage {
  const { path, resource, next } = settings
  return {
    path,
    get: (visit) => page(visit, settings, null),
    post: async (visit, _, form) => {
      const before = await shown(visit.askAny('GET', resource))
      const body = readBody(visit, operationOf(visit, settings).body!, form, before)
      const answer = await visit.askAny('PATCH', resource, { body })
      const refused = refusedForm(form, answer)
      if (refused) return page(visit, settings, refused)
      return goDone(visit, `${next?.(visit, answer.body) ?? visit.base + path}`, 'saved')
    },
  }
}

async function page(visit: Visit, settings: SettingsForm, refused: Refused | null): Promise<Response> {
  const { title, lead, resource } = settings
  const operation = operationOf(visit, settings)
  if (!mayCall(visit, operation)) return shownOnly(visit, settings, operation, refused?.status)
  const content = await formOf(visit, {
    fields: operation.body!,
    before: await shown(visit.askAny('GET', resource)),
    sent: refused?.sent ?? null,
    refusal: refused?.refusal ?? null,
    button: 'Save',
    back: visit.path,
    view: settings.view,
  })
  return settingsPage(visit, { title, lead }, content, refused?.status ?? 200)
}

/** For people whose role is not enough to change them. */
async function shownOnly(
  visit: Visit,
  { title, lead, resource, view }: SettingsForm,
  { body, role }: Operation<Context>,
  status = 200,
) {
  const values = await shown(visit.askAny('GET', resource))
  const lines = Object.entries(body!).map(
    ([name, field]) =>
      [view?.labels?.[name] ?? fieldTitle(name), shownValue({ visit, field, name, values, room: 'line' })] as const,
  )
  const who = html`<p class="notice" role="status">Only people with the role ${role} or higher can change this.</p>`
  return settingsPage(visit, { title, lead }, html`${who}${factCard(title, lines)}`, status)
}

function operationOf({ parts }: Visit, { operation: id }: SettingsForm): Operation<Context> {
  return parts.pipeline.operations.find((operation) => operation.id === id)!
}
