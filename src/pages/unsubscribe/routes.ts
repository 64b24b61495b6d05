import { type Env, Hono } from 'hono'
import { html } from 'hono/html'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { choicesOf, choose, type Stopped, stoppedBy } from '../../resources/messages/email/team/letter-choices.ts'
import { ABOUT, TEAM_LETTERS } from '../../resources/messages/email/team/letters.ts'
import { frameOf } from '../../resources/sales/checkout/sheet.ts'
import { FORM_REFUSALS, FORM_STYLE } from '../forms/document.ts'
import { methodAnswer, pageAnswer, seeOther } from '../parts/answers.ts'
import { document, type Frame } from '../parts/document.ts'
import { PostLimit } from '../parts/form.ts'
import { Gate, visitsBy } from '../parts/gate.ts'
import type { Page } from '../parts/markup.ts'
import type { PageParts, RequestOf } from '../parts/page-parts.ts'

/** The maximum number of form submissions per client and minute. */
const POSTS_PER_MINUTE = 30

/** Adds the page for unsubscribing, which needs no sign-in. GET changes nothing; mail programs send POST (RFC 8058). */
export function letterPages<E extends Env>(parts: PageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const gate = new Gate(parts, {
    posts: new PostLimit('letters', parts, { ofClient: POSTS_PER_MINUTE }),
    refusals: FORM_REFUSALS,
  })
  const visit = visitsBy(incomingOf)
  const find = async (_: PageParts, key: string) => stoppedBy(parts, key)
  app.get('/letters/:key', (context) =>
    gate.get(visit(context), find, (stopped) => show(parts, stopped, context.req.path)),
  )
  app.post('/letters/:key', (context) =>
    gate.post(visit(context), find, async (stopped) => {
      const again = context.req.query('again') === '1'
      await parts.pipeline.visits.act(callerOf(stopped), [], async (own) => {
        // Throws if the account was deleted.
        await frameOf(own)
        await choose(own, { userId: stopped.userId, letter: stopped.letter, wanted: again })
      })
      return seeOther(context.req.path)
    }),
  )
  app.all('/letters/:key', (context) => methodAnswer(context.req.method))
  return app
}

function callerOf({ accountId, userId }: Stopped): VisitorCaller {
  return { kind: 'visitor', accountId, pageId: userId }
}

async function show(parts: PageParts, stopped: Stopped, address: string): Promise<Response> {
  const { shop, wanted } = await parts.pipeline.visits.look(callerOf(stopped), async (context) => ({
    shop: (await frameOf(context)).shop,
    wanted: (await choicesOf(context, stopped.userId)).get(stopped.letter) ?? TEAM_LETTERS[stopped.letter].wanted,
  }))
  return pageAnswer(choicePage(shop, { about: ABOUT[stopped.letter], wanted, address }))
}

function choicePage(
  shop: Frame['shop'],
  { about, wanted, address }: { about: string; wanted: boolean; address: string },
): Page {
  const title = wanted ? `Stop e-mails about ${about}?` : `You get no e-mails about ${about}`
  const words = wanted
    ? 'Other e-mails go on.'
    : 'You can change this at any time, here or in the settings of the account.'
  const action = wanted ? address : `${address}?again=1`
  const content = html`<div class="message"><h1>${title}</h1><p class="words">${words}</p>
<form method="post" action="${action}"><p><button class="primary" type="submit">${wanted ? 'Stop them' : 'Send them again'}</button></p></form></div>`
  return document(title, { shop, test: false, style: FORM_STYLE.address }, content)
}
