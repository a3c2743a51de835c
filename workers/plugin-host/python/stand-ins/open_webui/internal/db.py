"""A database of the plugin's own, kept as harness/databases.py says. There are no tables in it but the plugin's. It needs the package
sqlalchemy, which plugins that use this import too."""
import contextlib
import sqlite3
from json import dumps, loads

from plugin_harness.surroundings import DATA_FOLDER

DATABASE_PATH = f"{DATA_FOLDER}/webui.db"
SQLALCHEMY_DATABASE_URL = f"sqlite:///{DATABASE_PATH}"


def connect():
    """Without sqlalchemy: the same database over `sqlite3`."""
    return sqlite3.connect(DATABASE_PATH)


try:
    import sqlalchemy
    from sqlalchemy.orm import declarative_base, scoped_session, sessionmaker
except ImportError:

    def _refuse(*_args, **_kwargs):
        raise ModuleNotFoundError("open_webui.internal.db needs the package sqlalchemy", name="sqlalchemy")

    get_session = get_db = get_db_context = get_async_db = get_async_db_context = SessionLocal = Session = _refuse
else:
    # A connection for each use: what is left open would hold up the others, and the end of the call.
    engine = sqlalchemy.create_engine(
        SQLALCHEMY_DATABASE_URL, connect_args={"check_same_thread": False}, poolclass=sqlalchemy.pool.NullPool
    )
    SessionLocal = sessionmaker(autocommit=False, autoflush=False, bind=engine, expire_on_commit=False)
    metadata_obj = sqlalchemy.MetaData()
    Base = declarative_base(metadata=metadata_obj)
    Session = ScopedSession = scoped_session(SessionLocal)

    class JSONField(sqlalchemy.types.TypeDecorator):
        impl = sqlalchemy.types.Text
        cache_ok = True

        def process_bind_param(self, value, dialect):
            return dumps(value)

        def process_result_value(self, value, dialect):
            return None if value is None else loads(value)

    def get_session():
        db = SessionLocal()
        try:
            yield db
        finally:
            db.close()

    get_db = contextlib.contextmanager(get_session)

    @contextlib.contextmanager
    def get_db_context(db=None):
        if db is not None:
            yield db
        else:
            with get_db() as own:
                yield own
