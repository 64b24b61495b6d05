import { html } from 'hono/html'
import type { FieldErrors } from '../../../contract/declarations/errors.ts'
import { formatMoment } from '../../../words/moments.ts'
import { field } from '../../parts/markup.ts'
import { localInput, momentOfInput } from '../kit/times.ts'
import type { AlsoDone, Viewed, Visit } from '../kit/visit.ts'

/** The input for the time of publishing, and the id by which a problem leads there. */
const AT = 'publish_at'
const ID = 'also'

/** The button of the form of a post that publishes it, now or at a time. */
export const publishing: AlsoDone<Viewed<'blog_post'>> = {
  button: 'Save and publish',
  offered: ({ status }) => status !== 'published',
  input: (visit, sent, problems) =>
    field({
      id: ID,
      label: html`Publish at <span class="optional">optional</span>`,
      hint: `In the time zone ${visit.account.timezone.replaceAll('_', ' ')}. Leave it empty to publish at once.`,
      problems,
      input: (described) =>
        html`<input type="datetime-local" id="${ID}" name="${AT}" min="${localInput(new Date().toISOString(), visit.account.timezone).slice(0, 16)}" value="${sent?.get(AT) ?? ''}"${described}>`,
    }),
  check(visit, form): FieldErrors {
    const at = momentIn(visit, form)
    if (at === null) return {}
    if (Number.isNaN(Date.parse(at))) return { [ID]: ['Enter a day and a time, or leave it empty to publish at once.'] }
    return Date.parse(at) > Date.now()
      ? {}
      : { [ID]: ['Choose a time in the future, or leave it empty to publish at once.'] }
  },
  afterSave(visit, id, form) {
    const path = { id_or_slug: id }
    const at = momentIn(visit, form)
    if (at === null) return visit.ask('POST /blog_posts/{id_or_slug}/publish', { path })
    return visit.ask('POST /blog_posts/{id_or_slug}/schedule', { path, body: { scheduled_at: at } })
  },
  done: ({ title, status, scheduled_at: at }) =>
    status === 'scheduled' && at !== null
      ? `“${title}” is saved and will be published on ${formatMoment(at, 'UTC')} UTC.`
      : `“${title}” is published.`,
}

/** The time as the API takes it; null where none is given. */
function momentIn({ account }: Visit, form: URLSearchParams): string | null {
  const given = form.get(AT)?.trim() ?? ''
  return given === '' ? null : momentOfInput(given, account.timezone)
}
