import { call, type Happening } from '../../demo/happening.ts'
import type { Feature } from '../../feature.ts'
import { partOfTable } from '../../resources/dashboard/account-export/parts.ts'
import { documentPages } from './pages/routes.ts'
import type { FormationServices } from './providers/provider.ts'
import { createFilings } from './providers/registry.ts'
import { formationResources } from './resources.ts'

const CARD = '4242424242424242'
const STUDIO = { line1: '14 Foundry Lane', city: 'Portland', state: 'ME', postal_code: '04101', country: 'USA' }
const NORA = { legal_first_name: 'Nora', legal_last_name: 'Kestrel', address: STUDIO }
const IVO = { legal_first_name: 'Ivo', legal_last_name: 'Marsh', address: STUDIO }

const company = (names: string[], description: string) => ({
  ...{ entity_type: 'LLC', state: 'ME', naics_code: '611610', description },
  name_options: names.map((name) => ({ name })),
  members: [
    { ...NORA, ownership_percent: 60 },
    { ...IVO, ownership_percent: 40 },
  ],
  responsible_party: NORA,
  mailing_address: { ...STUDIO, phone: '+1 207 555 0114' },
})

const FORMATIONS: readonly Happening[] = [
  call(
    160,
    '/formations',
    company(['Kestrel Paper School', 'Kestrel Paper'], 'Courses, e-books and a studio for members.'),
    { as: 'first company' },
  ),
  { daysAgo: 160, act: (shop) => shop.pay('@first company.checkout', { card: CARD, name: 'Nora Kestrel' }) },
  call(159, '/formations/@first company/submit'),
  call(
    0.25,
    '/formations',
    company(['Kestrel School of Binding', 'Kestrel Courses'], 'Courses in bookbinding and printing.'),
  ),
]

/** Formations of companies, which an agent or people file, with the documents of the companies. */
export const formations: Feature = {
  name: 'formations',
  resources: formationResources,
  after: 'event_source_type',
  services: ({ settings, pretending }): FormationServices => ({ filings: createFilings(settings, pretending) }),
  references: { 'formation_documents.formation': 'formations' },
  exportedTables: [partOfTable('formation_document_contents', ['id'], ['base64'])],
  routes: documentPages,
  dashboard: () => import('./pages/dashboard/formations.ts').then(({ formationDashboard }) => formationDashboard),
  demo: FORMATIONS,
}
