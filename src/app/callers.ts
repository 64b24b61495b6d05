import { Authenticator } from '../access/authenticate.ts'
import { Connect } from '../access/oauth/connect.ts'
import { People } from '../access/people/people.ts'
import type { Core } from './core.ts'

/** The parts that authenticate API tokens, people who sign in, and OAuth clients that people have authorized. */
export interface Callers {
  authenticator: Authenticator
  people: People
  connect: Connect
}

export function createCallers({ database, secret, services, settings, board, publicUrl, log }: Core): Callers {
  return {
    authenticator: new Authenticator(database, secret),
    people: new People({ database, services, publicUrl, wakeWorker: () => board.wake(), log }),
    connect: new Connect({
      database,
      secret,
      web: services.web.outside,
      publicUrl,
      clientDocuments: settings.CLIENT_DOCUMENTS,
    }),
  }
}

/** Waits for writes that authentication started in the background. */
export async function callersSettled({ authenticator, people, connect }: Callers): Promise<void> {
  await authenticator.settled()
  await people.settled()
  await connect.authenticator.settled()
}
