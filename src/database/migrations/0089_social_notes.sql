-- What tries of a delivery have noted for later ones, such as the id of an upload, as JSON.
alter table social_deliveries add column noted text;

-- Whether the platform said how many followers there were that day; where it did not, `followers` means nothing.
alter table social_figures add column followers_known integer not null default 1;
