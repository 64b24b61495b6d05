-- online
-- The accounts of a person, which each page of the dashboard asks for.
create index concurrently if not exists memberships_of_user on memberships (user_id, account_id);
