import type { DashboardPage, NamedView } from '../kit/visit.ts'
import { blogCategoryView, blogPostView, preview } from './blog.ts'
import { experiencePages, experienceView } from './experiences.ts'
import { filePages, fileView } from './files.ts'
import { formPages, formView, legalPageView, submissionView } from './forms.ts'
import { sitePages, siteView } from './sites.ts'

export const CONTENT_PAGES: DashboardPage[] = [preview, ...experiencePages, ...filePages, ...formPages, ...sitePages]

export const CONTENT_VIEWS: NamedView[] = [
  blogPostView,
  blogCategoryView,
  experienceView,
  fileView,
  formView,
  submissionView,
  legalPageView,
  siteView,
]
