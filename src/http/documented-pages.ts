import type { Hono, Context as HonoContext } from 'hono'
import type { ApiError } from '../contract/declarations/errors.ts'
import type { DashboardParts } from '../pages/dashboard/kit/visit.ts'
import { dashboardPages } from '../pages/dashboard/routes.ts'
import { Documentation, documentationPages } from '../pages/documentation/routes.ts'
import type { PageRequest } from '../pages/parts/page-parts.ts'
import type { Environment } from './read-only.ts'

type DocumentedParts = Omit<DashboardParts, 'findDocumentation'> & ConstructorParameters<typeof Documentation>[0]

export interface PageAnswers {
  incoming(context: HonoContext<Environment>): PageRequest
  refusal(error: ApiError): Response
}

export function addDocumentedPages(
  app: Hono<Environment>,
  parts: DocumentedParts,
  { incoming, refusal }: PageAnswers,
): void {
  const documentation = new Documentation(parts)
  const findDocumentation = (question: string) => documentation.find(question)
  app.route('/', dashboardPages<Environment>({ ...parts, findDocumentation }, incoming))
  app.route('/', documentationPages<Environment>(documentation, refusal))
}
