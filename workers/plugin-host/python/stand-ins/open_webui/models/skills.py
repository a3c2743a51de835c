"""Skills of Open WebUI. There are none here: lists are empty, and none can be made."""
from ._look_up import NowList, Table


class SkillsTable(Table):
    def get_skills(self, *_filters, **_options):
        return NowList()

    get_skills_by_user_id = get_skills

    def get_skill_by_id(self, id, *_filters, **_options):
        return None

    get_skill_by_name = get_skill_by_id


Skills = SkillsTable()
