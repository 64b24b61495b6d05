import { accountOf } from '../../access/account-of.ts'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { requireRow } from '../../records/records.ts'
import {
  addressIdOf,
  agreementUrl,
  agreeToNotifications,
  isOpen,
} from '../../resources/audience/notification-address/ask.ts'
import { NotificationAddress } from '../../resources/audience/notification-address/notification-address.ts'
import { frameOf } from '../../resources/sales/checkout/sheet.ts'
import { type PageParts, pageAnswer, seeOther } from '../parts/parts.ts'
import { agreePage, wordsPage } from './document.ts'

/** Returns null if the secret of the link is wrong. */
export async function agreementVisitorOf(parts: PageParts, secret: string): Promise<VisitorCaller | null> {
  const id = addressIdOf(parts, secret)
  const accountId = id === null ? null : await accountOf(parts.database.read, 'notification_addresses', id)
  return id === null || accountId === null ? null : { kind: 'visitor', accountId, pageId: id }
}

/** The page where the owner of an email address agrees to notifications about submissions. GET changes nothing. */
export class AgreementPage {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  get = async (caller: VisitorCaller): Promise<Response> => {
    const { shop, row, open, address } = await this.#asked(caller)
    if (open) return pageAnswer(agreePage(shop, { address, email: row.address }))
    if (row.confirmed_at !== null) {
      const words = `${shop.name} will notify ${row.address} of each form submission.`
      return pageAnswer(wordsPage(shop, { title: 'The address is confirmed', words }))
    }
    const words = 'No notifications are sent to this address yet. The next submission sends a new link.'
    return pageAnswer(wordsPage(shop, { title: 'The link has expired', words }), { status: 410 })
  }

  post = async (caller: VisitorCaller): Promise<Response> => {
    await this.#parts.pipeline.visits.act(caller, [], async (context) =>
      agreeToNotifications(context, await requireRow(context, NotificationAddress, caller.pageId)),
    )
    return seeOther((await this.#asked(caller)).address)
  }

  #asked(caller: VisitorCaller) {
    return this.#parts.pipeline.visits.look(caller, async (context) => {
      const row = await requireRow(context, NotificationAddress, caller.pageId)
      const { shop } = await frameOf(context)
      const address = new URL(agreementUrl(context, row.id)).pathname
      return { shop, row, open: isOpen(context, row), address }
    })
  }
}
