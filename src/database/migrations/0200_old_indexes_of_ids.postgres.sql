-- online
-- Large tables still have the indexes of ids without a condition, which versions before the baseline needed while an update ran.
drop index concurrently if exists checkout_links_by_id;
drop index concurrently if exists checkouts_by_id;
drop index concurrently if exists customers_by_id;
drop index concurrently if exists event_sources_by_id;
drop index concurrently if exists files_by_id;
drop index concurrently if exists form_submissions_by_id;
drop index concurrently if exists forms_by_id;
drop index concurrently if exists invitations_by_id;
drop index concurrently if exists invoices_by_id;
drop index concurrently if exists notification_addresses_by_id;
drop index concurrently if exists price_variants_by_id;
drop index concurrently if exists sandbox_posts_by_id;
drop index concurrently if exists social_accounts_by_id;
drop index concurrently if exists social_authorizations_by_id;
drop index concurrently if exists social_deliveries_by_id;
