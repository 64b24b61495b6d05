import { invalid } from '../../../contract/declarations/errors.ts'
import { AddressRefusedError } from '../../../outside/web/client.ts'
import type { Context } from '../../../records/context.ts'

/** Looks up the name of a given address, before the transaction. A 422 when it is none that events may be sent to. */
export async function checkAddress({ services }: Context, { url }: { url?: string }): Promise<void> {
  if (url === undefined) return
  await services.web.webhooks.check(url).catch(refuse)
}

/** What can be seen of a given address without looking up its name, as a 422. */
export function checkForm({ services }: Context, url: string | undefined): void {
  if (url === undefined) return
  try {
    services.web.webhooks.checkForm(url)
  } catch (error) {
    refuse(error)
  }
}

function refuse(error: unknown): never {
  throw error instanceof AddressRefusedError ? invalid({ url: [error.message] }) : error
}
