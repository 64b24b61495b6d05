import { call, type Happening } from './happening.ts'

/** The forms are created this many days before the first start, which is before the oldest submission. */
const SET_UP_DAYS_AGO = 195

const WORKSHOP_DAYS = ['First Saturday of the month', 'Third Saturday of the month']

/** Forms assign their fields the ids 1, 2, … in order. */
const FORMS: { as: string; [key: string]: unknown }[] = [
  {
    as: 'newsletter',
    name: 'A letter from the studio',
    description: 'New courses, free seats at the press, and one thing that went wrong. Once a month.',
    confirmation_required: true,
    success_message: 'Thank you. Look for our message and confirm your address.',
    tags: ['Newsletter'],
  },
  {
    as: 'workshop',
    name: 'Printing day for beginners',
    description: 'Five hours at the hand press, for six people. You take home twelve cards.',
    fields: [
      { type: 'email', label: 'Email', required: true },
      { type: 'text', label: 'Name', required: true },
      { type: 'select', label: 'Which day suits you?', required: true, options: WORKSHOP_DAYS },
      { type: 'number', label: 'How many places?', required: true, placeholder: '1' },
      { type: 'multi_select', label: 'What have you tried before?', options: ['Linocut', 'Letterpress', 'Risograph'] },
      { type: 'checkbox', label: 'I can stand for two hours' },
    ],
    success_message: 'We have noted your place and write to you within two days.',
    tags: ['Workshop'],
  },
  {
    as: 'wholesale',
    name: 'Teach with our guide',
    description: 'For schools, libraries and workshops. We answer every Monday.',
    fields: [
      { type: 'email', label: 'Email', required: true },
      { type: 'text', label: 'Your name', required: true },
      { type: 'text', label: 'School', required: true },
      { type: 'url', label: 'Website' },
      { type: 'number', label: 'Readers a year', required: true },
      { type: 'textarea', label: 'What should we know?' },
    ],
    notification_emails: ['wholesale@kestrel-paper.example'],
    tags: ['Wholesale'],
  },
  {
    as: 'calendar vote',
    name: 'Which birds for the calendar?',
    description: 'Pick up to three. The vote closes when we cut the blocks.',
    fields: [
      { type: 'email', label: 'Email' },
      {
        type: 'multi_select',
        label: 'Your birds',
        required: true,
        options: ['Kestrel', 'Barn owl', 'Heron', 'Wren', 'Magpie'],
      },
    ],
  },
]

interface SubmissionOptions {
  email?: string
  name?: string
  answers?: object
  confirmed?: boolean | undefined
}

/** Submits a form as a visitor and, if `confirmed` is set, confirms the visitor's email address. */
const submit = (daysAgo: number, form: string, { confirmed = false, ...body }: SubmissionOptions): Happening => ({
  daysAgo,
  async act(shop) {
    const { id } = await shop.call('POST', '/form_submissions', { form_id: `@${form}`, answers: {}, ...body })
    if (confirmed) await shop.confirm(id)
  },
})

const letter = (daysAgo: number, email: string, name: string, confirmed?: true) =>
  submit(daysAgo, 'newsletter', { email, name, confirmed })

const workshop = (daysAgo: number, email: string, answers: unknown[]) =>
  submit(daysAgo, 'workshop', { email, answers: afterEmail(answers) })

const wholesale = (daysAgo: number, email: string, answers: unknown[]) =>
  submit(daysAgo, 'wholesale', { email, answers: afterEmail(answers) })

const vote = (daysAgo: number, ...birds: string[]) => submit(daysAgo, 'calendar vote', { answers: afterEmail([birds]) })

/** Maps answers to field ids, starting at 2 because field 1 is the email address. Null means no answer. */
function afterEmail(answers: unknown[]): Record<string, unknown> {
  const given = answers.map((answer, index) => [String(index + 2), answer] as const)
  return Object.fromEntries(given.filter(([, answer]) => answer !== null))
}

const [FIRST, THIRD] = WORKSHOP_DAYS

/** The submissions of half a year. Some visitors bought later, and some never confirmed their address. */
export const SUBMISSIONS: readonly Happening[] = [
  ...FORMS.map(({ as, ...body }) => call(SET_UP_DAYS_AGO, '/forms', body, { as })),
  letter(188, 'jonas.weber@example.com', 'Jonas Weber', true),
  letter(171, 'tom.okafor@example.com', 'Tom Okafor', true),
  workshop(164, 'elena.petrova@example.com', ['Elena Petrova', FIRST, 2, ['Linocut'], true]),
  letter(152, 'hana.kim@example.com', 'Hana Kim'),
  wholesale(141, 'yuki.sato@example.com', [
    ...['Yuki Sato', 'Sato Calligraphy School', 'https://sato-calligraphy.example', 300],
    'We would like the chapter on sizing first.',
  ]),
  letter(118, 'priya.nair@example.com', 'Priya Nair', true),
  vote(112, 'Kestrel', 'Heron', 'Wren'),
  vote(111, 'Barn owl', 'Kestrel'),
  vote(109, 'Magpie', 'Heron'),
  workshop(96, 'samuel.adeyemi@example.com', ['Samuel Adeyemi', THIRD, 1, null, true]),
  letter(87, 'samuel.adeyemi@example.com', 'Samuel Adeyemi', true),
  call(84, '/forms/@calendar vote/archive'),
  wholesale(69, 'library@harbor-college.example', ['June Harper', 'Harbor College', null, 60, null]),
  workshop(52, 'leo.brandt@example.com', ['Leo Brandt', FIRST, 1, ['Risograph', 'Linocut'], true]),
  letter(41, 'amina.diallo@example.com', 'Amina Diallo', true),
  letter(28, 'noah.fischer@example.com', 'Noah Fischer'),
  workshop(17, 'amina.diallo@example.com', ['Amina Diallo', THIRD, 3, ['Letterpress'], true]),
  wholesale(11, 'office@paper-and-thread.example', [
    ...['Olivia Grant', 'Paper & Thread', 'https://paper-and-thread.example', 150],
    'Is there a version with larger letters?',
  ]),
  letter(4, 'marta.nowak@example.com', 'Marta Nowak', true),
  workshop(2, 'ines.costa@example.com', ['Inês Costa', FIRST, 1, ['Letterpress', 'Linocut'], false]),
]
