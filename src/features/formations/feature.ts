import type { Feature } from '../../feature.ts'
import { partOfTable } from '../../resources/dashboard/account-export/parts.ts'
import { FORMATIONS } from './demo.ts'
import { documentPages } from './pages/routes.ts'
import { createFilings } from './providers/registry.ts'
import { formationResources } from './resources.ts'
import type { FormationServices } from './services.ts'

/** Formations of companies, which an agent or people file, with the documents of the companies. */
export const formations: Feature = {
  name: 'formations',
  resources: formationResources,
  after: 'event_source_type',
  services: ({ settings, pretending }): FormationServices => ({ filings: createFilings(settings, pretending) }),
  references: { 'formation_documents.formation': 'formations' },
  exportedTables: [partOfTable('formation_document_contents', ['id'], ['base64'])],
  routes: documentPages,
  dashboard: () => import('./dashboard.ts').then(({ formationDashboard }) => formationDashboard),
  demo: FORMATIONS,
}
