import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import { AddressRefusedError, NoAnswerError } from '../../../outside/web/client.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { reserveCredits } from '../../company/account/reserve_credits.ts'
import { returnCredits, settleCredits } from '../../company/account/settle_credits.ts'
import { byCategory } from './categories.ts'
import { discover } from './discover.ts'
import { entryOf } from './entry.ts'

/** Credits that a map costs. */
const CREDITS = 1

interface MapCall {
  input: { url: string; max_urls: number }
}

/** Maps a site. The credit is set aside before anything is asked outside, and comes back unless URLs were found. */
export async function mapWeb(context: OutsideContext, { input }: MapCall): Promise<object> {
  const entry = entryOf(input.url, context.services.web.outside)
  const wanted = { credits: CREDITS, reason: 'web_map', reference: entry.host }
  const reservation = await context.transaction((part) => reserveCredits(part, wanted))
  const urls = await discover(context.services.web.outside, entry, {
    limit: input.max_urls,
    userAgent: `Shopwright (+${context.publicUrl})`,
  }).catch(async (error: unknown) => {
    await context.transaction((part) => returnCredits(part, reservation))
    throw refusalOf(error, entry)
  })
  await context.transaction((part) => settleCredits(part, reservation))
  return {
    url: entry.href,
    total_urls: urls.length,
    urls,
    categorized_urls: byCategory(urls),
    timestamp: context.now,
  }
}

function refusalOf(error: unknown, { href }: URL): unknown {
  if (error instanceof AddressRefusedError) return invalid({ url: [error.message] })
  if (!(error instanceof NoAnswerError)) return error
  return new ApiError('upstream_failed', `${href} could not be mapped. ${error.message} Nothing was charged.`)
}
