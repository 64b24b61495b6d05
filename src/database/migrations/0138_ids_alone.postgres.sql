-- online
-- Whoever comes by an address that names no account looks for an id alone, with the condition of these indexes. Everybody else goes by
-- the key, which begins with the account: the newest ids of all accounts share a page of an index of ids, and a transaction that has read
-- a page conflicts with whoever adds to it.
create index concurrently if not exists checkout_links_by_id_alone on checkout_links (id) where length(id) > 0;
create index concurrently if not exists checkouts_by_id_alone on checkouts (id) where length(id) > 0;
create index concurrently if not exists customers_by_id_alone on customers (id) where length(id) > 0;
create index concurrently if not exists event_sources_by_id_alone on event_sources (id) where length(id) > 0;
create index concurrently if not exists files_by_id_alone on files (id) where length(id) > 0;
create index concurrently if not exists form_submissions_by_id_alone on form_submissions (id) where length(id) > 0;
create index concurrently if not exists forms_by_id_alone on forms (id) where length(id) > 0;
create index concurrently if not exists invitations_by_id_alone on invitations (id) where length(id) > 0;
create index concurrently if not exists invoices_by_id_alone on invoices (id) where length(id) > 0;
create index concurrently if not exists notification_addresses_by_id_alone on notification_addresses (id) where length(id) > 0;
create index concurrently if not exists price_variants_by_id_alone on price_variants (id) where length(id) > 0;
create index concurrently if not exists sandbox_posts_by_id_alone on sandbox_posts (id) where length(id) > 0;
create index concurrently if not exists social_accounts_by_id_alone on social_accounts (id) where length(id) > 0;
create index concurrently if not exists social_authorizations_by_id_alone on social_authorizations (id) where length(id) > 0;
create index concurrently if not exists social_deliveries_by_id_alone on social_deliveries (id) where length(id) > 0;
-- The version before needs the old ones as long as its processes run, or it reads the table from end to end. Where that is quickly done,
-- they go now, and the others with the next version.
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('checkout_links') < 8388608 then drop index if exists checkout_links_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('checkouts') < 8388608 then drop index if exists checkouts_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('customers') < 8388608 then drop index if exists customers_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('event_sources') < 8388608 then drop index if exists event_sources_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('files') < 8388608 then drop index if exists files_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('form_submissions') < 8388608 then drop index if exists form_submissions_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('forms') < 8388608 then drop index if exists forms_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('invitations') < 8388608 then drop index if exists invitations_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('invoices') < 8388608 then drop index if exists invoices_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('notification_addresses') < 8388608 then drop index if exists notification_addresses_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('price_variants') < 8388608 then drop index if exists price_variants_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('sandbox_posts') < 8388608 then drop index if exists sandbox_posts_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('social_accounts') < 8388608 then drop index if exists social_accounts_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('social_authorizations') < 8388608 then drop index if exists social_authorizations_by_id; end if; end $$;
do $$ begin perform set_config('lock_timeout', '500ms', true); if pg_relation_size('social_deliveries') < 8388608 then drop index if exists social_deliveries_by_id; end if; end $$;
