import { html } from 'hono/html'
import { CONFIGURATION_NOTE, clientConfigurations } from '../../../access/client-configuration.ts'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/markup.ts'
import { copyable } from '../kit/copy.ts'
import type { Visit } from '../kit/visit.ts'
import { developerPage } from './tabs.ts'

/** What was made just now: the only page that ever shows the value of a token, with all that is needed to use it. */
export function newTokenPage(
  visit: Visit,
  { name, value }: Pick<Shown<'api_token'>, 'name' | 'value'>,
): Promise<Response> {
  const crumbs = [{ words: 'Tokens', address: `${visit.base}/developers/tokens` }]
  const content = html`<div class="notice good" role="status"><p><strong>${name} is ready.</strong> Copy its value now: it is not shown again.</p></div>
<section class="card" aria-labelledby="value"><h2 id="value">The token</h2>${copyable(value ?? '', 'Value of the token')}</section>
<h2 class="above-card">Connect a client</h2>
<p class="lead">${CONFIGURATION_NOTE}</p>
${configurations(visit.parts.publicUrl, value ?? '')}
<p><a class="button" href="${visit.base}/developers/tokens">Done, I have copied it</a></p>`
  return developerPage(visit, { title: 'Your new token', crumbs }, content)
}

function configurations(publicUrl: string, value: string): Page {
  const clients = clientConfigurations(publicUrl).map(({ client, place, text }) => ({ title: client, place, text }))
  const all = [
    { title: 'Environment', place: 'a terminal', text: `export SHOPWRIGHT_TOKEN=${value}` },
    ...clients,
    {
      title: 'curl',
      place: 'a terminal',
      text: `curl ${publicUrl}/v1/products -H "Authorization: Bearer $SHOPWRIGHT_TOKEN"`,
    },
  ]
  const blocks = all.map(
    ({ title, place, text }) =>
      html`<section class="card configuration" aria-label="${title}"><h3>${title}</h3><p class="hint">In ${place}</p>${copyable(text, `Configuration for ${title}`)}</section>`,
  )
  return html`${blocks}
<section class="card configuration" aria-label="Clients that sign in"><h3>claude.ai, ChatGPT and others</h3><p class="hint">Clients that support sign-in need only this address, not a token</p>${copyable(`${publicUrl}/connect`, 'Address for clients that sign in')}</section>`
}
