// A world's solids as static bodies of Bullet: every copy of what world_solids hands out, and the land, triangle for triangle.
//
//     BulletWorld bodies(dynamics);           // a btDynamicsWorld of the host's
//     bodies.add(solids);                     // once; after the world was changed, clear() and add() again
//
// Lengths are meters in both. Shapes have no margin, so what rests on them rests where the world says that they are.
#ifndef BULLET_WORLD_HPP
#define BULLET_WORLD_HPP

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>
#include <world/world.h>

class BulletWorld {
public:
    explicit BulletWorld(btDynamicsWorld &dynamics) : dynamics(dynamics) {}
    ~BulletWorld() { clear(); }
    BulletWorld(const BulletWorld &) = delete;
    BulletWorld &operator=(const BulletWorld &) = delete;

    void add(const WorldSolids &solids) {
        for (size_t i = 0; i < solids.group_count; i++)
            for (uint32_t k = 0; k < solids.groups[i].copies; k++) add_copy(solids, solids.groups[i], k);
        if (solids.scene->land.columns > 1 && solids.scene->land.rows > 1) add_land(*solids.scene);
    }

    void clear() {
        for (auto &body : bodies) dynamics.removeRigidBody(body.get());
        bodies.clear();
        shapes.clear();
        meshes.clear();
        land = nullptr;
    }

    const btCollisionObject *ground() const { return land; }

private:
    struct Triangles { // Bullet reads them where they lie
        std::vector<float> points;
        std::vector<uint32_t> corners;
        std::unique_ptr<btTriangleIndexVertexArray> view;
    };

    btDynamicsWorld &dynamics;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<Triangles>> meshes;
    const btCollisionObject *land = nullptr;

    template <class Shape> Shape *keep(Shape *shape) {
        shapes.emplace_back(shape);
        shape->setMargin(0);
        return shape;
    }

    btCollisionShape *mesh_shape(std::unique_ptr<Triangles> from) {
        auto *mesh = from.get();
        meshes.push_back(std::move(from));
        mesh->view = std::make_unique<btTriangleIndexVertexArray>();
        btIndexedMesh part;
        part.m_numTriangles = int(mesh->corners.size() / 3);
        part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh->corners.data());
        part.m_triangleIndexStride = 3 * sizeof(uint32_t);
        part.m_numVertices = int(mesh->points.size() / 3);
        part.m_vertexBase = reinterpret_cast<const unsigned char *>(mesh->points.data());
        part.m_vertexStride = 3 * sizeof(float);
        part.m_vertexType = PHY_FLOAT;
        mesh->view->addIndexedMesh(part, PHY_INTEGER);
        return keep(new btBvhTriangleMeshShape(mesh->view.get(), true));
    }

    static btVector3 at(const double *p, btScalar scale = 1) { return btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])) * scale; }

    // Where the shape stands in the frame of its solid, and the shape, which is larger by `scale`.
    btCollisionShape *shape_of(const WorldSolid &solid, btScalar scale, btTransform &stands) {
        stands.setIdentity();
        switch (solid.kind) {
        case WORLD_SOLID_BOX: {
            const double *a = solid.axes; // each is a column
            stands.setBasis(btMatrix3x3(btScalar(a[0]), btScalar(a[3]), btScalar(a[6]), btScalar(a[1]), btScalar(a[4]), btScalar(a[7]), btScalar(a[2]), btScalar(a[5]), btScalar(a[8])));
            stands.setOrigin(at(solid.middle, scale));
            return keep(new btBoxShape(at(solid.half, scale)));
        }
        case WORLD_SOLID_CAPSULE: {
            btVector3 from = at(solid.from, scale), to = at(solid.to, scale), way = to - from;
            btScalar length = way.length(), radius = btScalar(solid.radius) * scale;
            stands.setOrigin((from + to) / 2);
            if (length == 0) return capsule(new btSphereShape(radius));
            stands.setRotation(shortestArcQuat(btVector3(0, 1, 0), way / length));
            return capsule(new btCapsuleShape(radius, length));
        }
        case WORLD_SOLID_HULL: {
            auto *hull = keep(new btConvexHullShape());
            for (uint32_t i = 0; i < solid.point_count; i++) hull->addPoint(at(solid.points + 3 * i, scale), false);
            hull->recalcLocalAabb();
            return hull;
        }
        case WORLD_SOLID_MESH:
            break;
        }
        auto mesh = std::make_unique<Triangles>();
        for (uint32_t i = 0; i < 3 * solid.point_count; i++) mesh->points.push_back(float(solid.points[i] * double(scale)));
        mesh->corners.assign(solid.triangles, solid.triangles + 3 * solid.triangle_count);
        return mesh_shape(std::move(mesh));
    }

    template <class Shape> Shape *capsule(Shape *shape) { // its margin is its radius
        shapes.emplace_back(shape);
        return shape;
    }

    // Rows of a turn times a scale, and a place.
    static btTransform frame_of(const float *rows, btScalar &scale) {
        scale = btVector3(rows[0], rows[4], rows[8]).length();
        btScalar by = scale > 0 ? 1 / scale : 0;
        return btTransform(btMatrix3x3(rows[0] * by, rows[1] * by, rows[2] * by, rows[4] * by, rows[5] * by, rows[6] * by, rows[8] * by, rows[9] * by, rows[10] * by),
                           btVector3(rows[3], rows[7], rows[11]));
    }

    void add_copy(const WorldSolids &solids, const WorldSolidGroup &group, uint32_t copy) {
        btScalar scale;
        btTransform stands, frame = frame_of(group.transforms + 12 * size_t(copy), scale);
        if (!(scale > 0)) return;
        auto *all = keep(new btCompoundShape());
        for (uint32_t i = 0; i < group.count; i++) {
            btCollisionShape *shape = shape_of(solids.solids[group.first + i], scale, stands);
            all->addChildShape(stands, shape);
        }
        add_body(all, frame);
    }

    // All of it. A land that is large is better added in pieces, as bodies come near.
    void add_land(const WorldScene &scene) {
        btScalar scale;
        btTransform frame = frame_of(scene.land_transform, scale);
        int columns = scene.land.columns, rows = scene.land.rows;
        auto mesh = std::make_unique<Triangles>();
        size_t points, triangles;
        if (world_solids_ground(&scene, 0, 0, columns - 1, rows - 1, &points, nullptr, &triangles, nullptr) != WORLD_OK) return;
        mesh->points.resize(3 * points);
        mesh->corners.resize(3 * triangles);
        if (world_solids_ground(&scene, 0, 0, columns - 1, rows - 1, &points, mesh->points.data(), &triangles, mesh->corners.data()) != WORLD_OK) return;
        for (float &number : mesh->points) number *= float(scale);
        land = add_body(mesh_shape(std::move(mesh)), frame);
    }

    btRigidBody *add_body(btCollisionShape *shape, const btTransform &frame) {
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
        info.m_startWorldTransform = frame;
        info.m_friction = 1;
        info.m_rollingFriction = 1;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        dynamics.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }
};

#endif
