import { html } from 'hono/html'
import { sentenceCase } from '../../../format/sentences.ts'
import type { ChangeSample, RunChanges } from '../../../resources/dashboard/program-run/program-run.ts'
import { dataTable, type Page } from '../../parts/markup.ts'
import { addressOf, type DashboardContext } from '../kit/visit.ts'
import { shortened } from '../kit/words.ts'
import { happened, happening } from './words.ts'

const NAMED = 5
const MAX_NAME = 60

/** Lists a run's changes by type with a few names. `planned` means that the run saved nothing. */
export function changesTable(visit: DashboardContext, changes: RunChanges, { planned = false } = {}): Page {
  const rows = Object.entries(changes).map(([event, change]) => {
    const { count, samples = [] } = typeof change === 'string' ? {} : change
    const words = count === undefined ? event : sentenceCase((planned ? happening : happened)(event, count))
    return { words, which: named(visit, { event, samples, count: count ?? 0, planned }) }
  })
  return dataTable({
    caption: 'Changes',
    columns: [
      { words: planned ? 'What happens' : 'What happened', cell: ({ words }) => words },
      { words: 'Which', cell: ({ which }) => which },
    ],
    rows,
  })
}

interface Named {
  event: string
  samples: (ChangeSample | string)[]
  count: number
  planned: boolean
}

function named(visit: DashboardContext, { event, samples, count, planned }: Named): Page {
  const isThere = !event.endsWith(planned ? '.created' : '.deleted')
  const [object = ''] = event.split('.')
  const all = samples.filter((sample) => typeof sample === 'object').slice(0, NAMED)
  const links = all.map((sample) => {
    const { id = '' } = sample
    const label = [sample.name, sample.title, sample.code, sample.email]
      .map(latest)
      .find((one) => typeof one === 'string')
    const words = shortened(label ?? id, MAX_NAME)
    const address = isThere ? addressOf(visit, object, id) : null
    return address === null ? html`${words}` : html`<a href="${address}">${words}</a>`
  })
  return html`${links.map((link, index) => html`${index > 0 ? ', ' : ''}${link}`)}${count > links.length ? html`${links.length > 0 ? ', ' : ''}…` : ''}`
}

function latest(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'to' in value ? value.to : value
}
